"""Certificates for the servers of the tests: an authority of its own, and what it signed, right and wrong."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path
from typing import Literal

Fault = Literal["none", "expired", "wrong name", "self-signed", "plain text"]

_CA_CONFIGURATION = """
[ca]
default_ca = own
[own]
dir = {folder}
new_certs_dir = {folder}
database = {folder}/index.txt
serial = {folder}/serial
default_md = sha256
policy = any
unique_subject = no
copy_extensions = copy
[any]
commonName = supplied
"""


class Authority:
    """`certificate` is what a client must trust (SSL_CERT_FILE)."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._contexts: dict[str, ssl.SSLContext] = {}

    @property
    def certificate(self) -> Path:
        return self.folder / "authority.pem"

    def context(self, address: str, fault: Fault) -> ssl.SSLContext:
        """For a server at this address, given by number."""
        name = f"{address}-{fault.replace(' ', '-')}"
        if name not in self._contexts:
            self._contexts[name] = self._make(name, address, fault)
        return self._contexts[name]

    def _make(self, name: str, address: str, fault: Fault) -> ssl.SSLContext:
        if fault == "self-signed":
            certificate = self._request(name, f"IP:{address}", "-x509", "-days", "30")
        else:
            names = "DNS:elsewhere.test" if fault == "wrong name" else f"IP:{address},DNS:localhost"
            certificate = self._sign(self._request(name, names), expired=fault == "expired")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, self.folder / f"{name}.key")
        return context

    def _request(self, name: str, names: str, *more: str) -> Path:
        out = self.folder / f"{name}.{'pem' if more else 'csr'}"
        key = self.folder / f"{name}.key"
        new_key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key)
        subject = ("-subj", f"/CN={name}", "-addext", f"subjectAltName={names}")
        _openssl("req", *more, *new_key, "-out", out, *subject)
        return out

    def _sign(self, request: Path, expired: bool) -> Path:
        out = request.with_suffix(".pem")
        dates = ("20200101000000Z", "20210101000000Z") if expired else ("20200101000000Z", "20450101000000Z")
        signer = ("-cert", self.certificate, "-keyfile", self.folder / "authority.key")
        valid = ("-startdate", dates[0], "-enddate", dates[1])
        configuration = self.folder / "ca.conf"
        _openssl("ca", "-batch", "-notext", "-config", configuration, *signer, *valid, "-in", request, "-out", out)
        return out


def make_authority(folder: Path) -> Authority:
    made = Authority(folder)
    (folder / "ca.conf").write_text(_CA_CONFIGURATION.format(folder=folder))
    (folder / "index.txt").write_text("")
    (folder / "serial").write_text("01")
    key = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder / "authority.key")
    subject = ("-subj", "/CN=Heddle test authority", "-addext", "basicConstraints=critical,CA:TRUE")
    _openssl("req", "-x509", *key, "-days", "30", "-out", made.certificate, *subject)
    return made


def _openssl(*words: str | Path) -> None:
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True)
