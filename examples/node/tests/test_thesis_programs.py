"""The thesis' programs print what is known to be right, under node and under heddle-node."""

from __future__ import annotations

import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from node_examples import Run, Start


def get(port: int, path: str) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return answer.read().decode()


def test_the_prime_service_says_the_nth_prime(start: Start) -> None:
    with start("prime-service/server.js", "0") as server:
        assert get(server.port, "/?1") == "2"
        assert get(server.port, "/?1000") == "7919"
        assert get(server.port, "/?10000") == "104729"
        for path in ("/", "/?0", "/?many", "/?1000001"):
            with pytest.raises(urllib.error.HTTPError, match="400"):
                get(server.port, path)


def test_the_prime_service_answers_many_clients(start: Start) -> None:
    primes = {2000 + 100 * k: get_prime(2000 + 100 * k) for k in range(24)}
    with start("prime-service/server.js", "0") as server, ThreadPoolExecutor(8) as clients:
        answers = clients.map(lambda n: int(get(server.port, f"/?{n}")), primes)
        assert list(answers) == list(primes.values())


def get_prime(n: int) -> int:
    """By a sieve, unlike the service."""
    most = 60000
    sieve = bytearray([1]) * most
    sieve[:2] = b"\0\0"
    for i in range(2, 245):
        if sieve[i]:
            sieve[i * i :: i] = bytes(len(range(i * i, most, i)))
    return [i for i in range(most) if sieve[i]][n - 1]


@pytest.mark.parametrize(("turnstiles", "visitors"), [(1, 1), (4, 50)])
def test_no_visitor_of_the_gardens_is_lost(run: Run, turnstiles: int, visitors: int) -> None:
    done = run("gardens/gardens.js", str(turnstiles), str(visitors))
    totals = [int(line.split()[0]) for line in done.out.splitlines()]
    assert (done.code, done.errors) == (0, "")
    assert totals[-1] == turnstiles * visitors
    assert totals == sorted(totals)
    # One round of all turnstiles lies between two looks at the counter, as timers of equal length are first in,
    # first out.
    assert set(totals) == {turnstiles * k for k in range(visitors + 1)}


def test_the_size_of_a_folder_is_that_of_its_files(run: Run, tmp_path: Path) -> None:
    assert run("dir-size/dir-size.js", tmp_path).out == "0 bytes\n"
    for number in range(30):
        folder = tmp_path / f"{number % 3}" / f"{number % 5}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.txt").write_bytes(b"x" * number)
    assert run("dir-size/dir-size.js", tmp_path).out == f"{sum(range(30))} bytes\n"


def test_a_folder_that_is_not_there_is_said(run: Run, tmp_path: Path) -> None:
    done = run("dir-size/dir-size.js", tmp_path / "nowhere")
    assert (done.code, done.out) == (1, "0 bytes\n")
    assert "no such file or directory" in done.errors


FLOW = """\
first: 77031 (351 steps)
second: 156159 (383 steps)
sequential: done
first: 77031 (351 steps)
second: 156159 (383 steps)
parallel: done
"""


def test_control_flow_by_hand_keeps_its_order(run: Run) -> None:
    done = run("control-flow/by-hand.js")
    assert (done.code, done.out, done.errors) == (0, FLOW, "")


@pytest.mark.usefixtures("packages")
def test_control_flow_with_async_keeps_its_order(run: Run) -> None:
    done = run("control-flow/with-async.js")
    assert (done.code, done.out, done.errors) == (0, FLOW, "")


@pytest.mark.parametrize(
    ("batch", "last", "primes"), [(10, 10_000, 1229), (1000, 1_000_000, 78498), (300_000, 1_000_000, 78498)]
)
def test_batches_of_any_size_count_all_primes(run: Run, batch: int, last: int, primes: int) -> None:
    done = run("batch-primes/primes.js", str(batch), str(last))
    assert (done.code, done.out, done.errors) == (0, f"{primes} primes.\n", "")
