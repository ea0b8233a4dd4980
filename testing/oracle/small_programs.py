"""Small C programs under the oracle: compiled, analysed, run with the agitator, checked."""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import schemas
from heddle.documents.constraints import Constraints
from heddle.oracle import accesses
from heddle.oracle.check import Outcome, check

# A program may do to the machine what only root may: take its network down, set its clock or its name. As root, it runs
# without those capabilities (capabilities(7)).
_OF_THE_MACHINE = ("net_admin", "sys_admin", "sys_boot", "sys_module", "sys_rawio", "sys_time")
CONFINED = ["setpriv", "--bounding-set", ",".join(f"-{name}" for name in _OF_THE_MACHINE)] if os.geteuid() == 0 else []

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
SPECS = ROOT / "elyze/specs"
PASS = BUILD / "elyze/oracle/libheddle_oracle_pass.so"
PLUGIN = BUILD / "elyze/plugin/libheddle_compiler_plugin.so"
RUNTIME = BUILD / "elyze/oracle/libheddle_oracle.so"
AGITATOR = BUILD / "testing/oracle/libagitator.so"
ELYZE = BUILD / "elyze/elyze"
# Some programs call what no library has, in paths that do not run.
LIBRARIES = (
    *("-Wl,--no-as-needed", RUNTIME, "-levent", "-Wl,--as-needed", "-levent_pthreads", "-lm"),
    "-Wl,--unresolved-symbols=ignore-all",
)
PROGRAMS = sorted((ROOT / "elyze/tests/programs").glob("*.c"))
CANNOT_RUN = dict.fromkeys(
    (
        "memory_that_unknown_code_handed_out",
        "unknown_external_conflicts_with_everything",
        "unknown_external_function",
        "unknown_external_keeps_the_session",
        "function_from_a_shared_library",
        "handler_of_a_function_that_unknown_code_finds",
        "path_of_a_wrapped_function",
        "connection_of_tls_made_by_unknown_code",
        "stream_of_a_socket_made_by_unknown_code",
        "number_kept_by_unknown_code",
        "number_returned_by_unknown_code",
        "pinned_by_what_is_not_known",
        "library_fills_a_pointer_without_a_word",
        "library_turns_a_table_round",
        "library_turns_the_head_of_a_table_round",
        "result_of_a_library_without_a_word",
        "small_structure_of_a_library_without_a_word",
        "structure_of_a_library_without_a_word",
        "unknown_code_gets_a_variable_of_a_helper_by_a_callee",
        "unknown_code_gets_a_variable_of_a_helper_in_global",
        "unknown_code_gets_a_variable_of_a_helper_in_session",
    ),
    "calls a function that no library has, which is its point",
) | {
    **dict.fromkeys(
        (
            "ares_has_a_set_of_sockets",
            "ares_socket_is_peeked_at",
            "ares_timeout_gives_the_limit",
            "callback_that_a_resolver_keeps",
        ),
        "calls c-ares, which is not installed",
    ),
    **dict.fromkeys(
        ("allocator_that_unknown_code_got", "callback_that_unknown_code_got", "method_that_unknown_code_got"),
        "calls OpenSSL, which it is not linked with",
    ),
    **dict.fromkeys(
        (
            "allocator_of_lzma_is_looked_at",
            "lzma_allocator",
            "lzma_allocator_static",
            "lzma_reads_the_dictionary_of_its_options",
        ),
        "calls liblzma, which it is not linked with",
    ),
    **dict.fromkeys(
        (
            "limits_are_freed_that_a_bufferevent_has",
            "locale_object_is_read_and_freed",
            "objects_of_libevent_are_asked_for_their_base",
            "size_of_a_block_that_is_freed",
        ),
        "uses what another handler frees, if that one comes first",
    ),
    **dict.fromkeys(
        ("frame_is_walked_by_a_callee", "frame_is_walked_in_global", "frame_is_walked_in_session"),
        "writes where the first word leads that it finds twice on the stack, whosever that is",
    ),
    **dict.fromkeys(
        (
            "own_environment_by_a_callee",
            "own_environment_by_an_alias",
            "own_environment_in_session",
            "zone_in_the_third_argument_of_main",
        ),
        "writes over the environment, where the recorder finds its settings",
    ),
    "locks_of_ones_own_are_counted": "does not end by SIGTERM under the recorder",
    **dict.fromkeys(("title_over_argv", "getopt_is_reset_by_optreset"), "calls libbsd, which is not installed"),
    **dict.fromkeys(
        (
            "current_terminal_is_looked_at",
            "lines_of_a_terminal_are_looked_at",
            "padding_depends_on_ospeed",
            "setupterm_ends_the_process",
            "setupterm_prints_its_error",
        ),
        "calls libtinfo, which it is not linked with",
    ),
    "wrappers_timeout_is_changed": "calls libwrap, which is not installed",
    "filter_of_a_library_traps": "calls libseccomp, which is not installed",
    "symbol_is_looked_up_by_a_library": "calls libltdl, which is not installed",
    "name_of_the_host_by_a_file_of_the_kernel": "would give the machine another name",
    "memory_is_written_through_proc": "writes over its own memory by a file",
    "family_of_a_netlink_socket_is_a_parameter": "would take the machine's network down",
    "netlink_takes_it_down": "would take the machine's network down",
    **dict.fromkeys(("getpass_echo", "getpass_reads_input"), "waits for somebody to type"),
    **dict.fromkeys(
        ("bytes_of_a_picture_are_kept", "picture_is_read_from_a_stream"), "calls libjpeg, which it is not linked with"
    ),
    **dict.fromkeys(
        (
            "allocator_of_a_zlib_stream",
            "arena_of_zlib_is_looked_at",
            "decompression_moves_the_output_on",
            "free_of_zlib_marks_the_block",
            "standard_output_closed_by_compressed_stream",
            "pointer_is_compressed_between",
        ),
        "calls zlib, which it is not linked with",
    ),
    **dict.fromkeys(
        (
            "answer_about_status_is_changed",
            "answer_lies_in_the_connection",
            "attached_data_is_freed_with_its_connection",
            "authorities_are_looked_up_when_they_are_needed",
            "authorities_of_a_store_are_looked_up",
            "authority_in_a_peers_chain",
            "authority_is_added_between_two_handshakes",
            "authority_is_seen_by_a_check",
            "bio_is_made_for_a_file",
            "bio_of_a_socket_of_tls_is_written",
            "bio_writes_a_file_by_its_name",
            "block_given_to_a_bio_is_read",
            "certificate_check_counts_in_what_is_attached",
            "certificate_check_finds_the_session",
            "certificate_found_in_a_store",
            "certificate_in_a_store_for_verifying",
            "certificate_in_a_store_of_a_connection",
            "certificate_in_a_verified_chain",
            "certificate_is_chosen_by_what_is_attached",
            "certificate_is_encoded_twice",
            "certificate_is_encoded_when_digested",
            "certificate_is_looked_for_by_a_check",
            "certificate_is_made_by_reading",
            "certificate_is_read_from_a_text_again",
            "certificate_is_read_into_one_that_is_there",
            "certificate_is_read_while_it_is_renewed",
            "certificate_of_a_context_in_its_connections",
            "chain_of_a_connection_is_walked",
            "chain_of_a_context_is_walked",
            "chain_of_one_bio_is_that_bio",
            "chosen_protocol_lies_in_the_connection",
            "cipher_works_on_what_its_argument_names",
            "connection_asks_the_context_for_a_password",
            "connection_is_got_back_from_a_bio",
            "connection_writes_to_what_is_behind_its_bio",
            "context_changes_while_the_loop_shakes_hands",
            "data_of_the_block_of_a_bio",
            "default_engine_is_changed_and_asked_for",
            "digest_in_the_librarys_own_array",
            "digests_in_places_of_their_own",
            "environment_names_the_file_of_openssl",
            "error_of_tls_is_taken_by_asking",
            "file_of_a_bio_is_read_while_it_is_written",
            "file_of_a_bio_is_written_while_it_is_read",
            "handshake_makes_a_session",
            "https_client_frees_its_tls_connection",
            "https_client_sends_over_its_tls_connection",
            "key_is_filled_while_a_certificate_is_signed",
            "key_is_looked_at_when_it_begins",
            "key_is_made_from_parameters",
            "key_is_made_in_one_that_is_there",
            "key_that_a_certificate_was_given",
            "method_of_a_key_signs_in_a_handshake",
            "name_is_encoded_when_it_is_compared",
            "name_is_printed_into_a_file",
            "number_of_a_certificate_is_kept",
            "number_of_parameters_of_a_context",
            "number_of_the_key_of_a_certificate",
            "number_of_the_key_of_an_authority",
            "number_that_a_key_was_given",
            "output_of_tls_calls_the_program",
            "parameters_from_a_callback_hold_a_kept_number",
            "password_of_a_key_is_a_text",
            "pointer_goes_in_as_a_number_and_comes_out_as_bytes",
            "pointer_goes_in_as_bytes_and_comes_out_as_a_number",
            "pointer_is_put_together_from_bytes_of_a_number",
            "pointer_through_a_copied_number_of_openssl",
            "pointer_through_a_global_number_of_openssl",
            "pointer_through_a_name_of_openssl",
            "pointer_through_a_number_of_a_certificate",
            "pointer_through_a_number_of_openssl",
            "pointer_through_a_raw_key",
            "pointer_through_the_bytes_of_a_number",
            "pointer_through_the_data_of_a_bio",
            "protocol_that_a_callback_chose_is_changed",
            "reading_of_tls_calls_the_program",
            "renegotiation_calls_the_program",
            "resumption_depends_on_other_handshakes",
            "server_name_callback_gets_its_argument",
            "session_is_used_by_two_connections",
            "sessions_are_left_while_one_is_looked_for",
            "sessions_of_tls_share_a_context",
            "signature_in_the_librarys_own_array",
            "tag_comes_out_into_a_tls_output",
            "tag_fills_the_output_of_a_tls_filter",
            "text_behind_a_filter_is_changed",
            "third_bio_of_a_chain_is_a_file",
            "tls_bufferevent_gets_a_socket_later",
            "tls_bufferevent_gives_its_socket",
            "tls_filter_gets_a_socket",
            "tls_filter_shakes_hands_over_its_socket",
            "tls_filter_writes_the_bufferevent_below",
            "tls_input_goes_to_another_bufferevent",
            "tls_of_a_servers_connection_is_asked",
            "tls_output_gets_the_input_of_another",
            "totals_of_a_group_and_a_tls_write",
            "trigger_below_a_tls_filter_reads",
        ),
        "calls OpenSSL, which it is not linked with",
    ),
    **dict.fromkeys(
        (
            "libev_function_of_a_periodic_watcher_is_asked",
            "libev_loop_inside_a_watcher",
            "libev_path_of_a_watcher_is_changed",
            "libev_pool_is_found_by_a_block",
            "libev_session_asks_its_own_periodic_function",
            "libev_session_is_the_data_of_its_watchers",
            "libev_time_of_a_periodic_watcher_is_read",
            "libev_time_of_the_loop_is_updated",
            "libev_watcher_is_asked_whether_it_is_pending",
            "libev_watcher_inside_its_session",
            "libev_watcher_is_invoked_at_once",
            "libev_watchers_of_an_array",
            "watcher_is_owned_by_a_session",
        ),
        "calls libev, which is not installed",
    ),
    **dict.fromkeys(
        ("own_loop_passes_what_a_client_owns", "poll_loop_calls_through_pointers", "select_loop_calls_by_name"),
        "has a loop of its own, where nobody sees handlers",
    ),
}
# What a program that speaks of it is built with: `// COUNTED never: A B` is said of a build with --sums.
_ASKED = {"// COUNTED ": "HEDDLE_SUMS", "// APART ": "HEDDLE_SCRATCH"}
LONGEST_ANALYSIS_S = 120.0  # an analysis that does not end is a failure; one takes about a second
_LONGEST_RUN_S = 4.0  # a program whose handler waits for ever is killed then


class NoTraceError(Exception):
    """The program left nothing that can be checked."""


@dataclass(frozen=True)
class Program:
    """One program, instrumented, with what the analyser says of it."""

    executable: Path
    constraints: Constraints
    arguments: tuple[str, ...] = ()

    def run(self, seed: int, rounds: int = 60, longest_s: float = _LONGEST_RUN_S) -> Outcome:
        trace = self.executable.with_suffix(f".{seed}.accesses")
        environment = {
            "HEDDLE_ACCESSES": str(trace),
            "LD_PRELOAD": str(AGITATOR),
            "AGITATE_SEED": str(seed),
            "AGITATE_ROUNDS": str(rounds),
            "PATH": os.defpath,
        }
        with subprocess.Popen(
            [*CONFINED, self.executable, *self.arguments],
            env=environment,
            cwd=self.executable.parent,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                process.wait(longest_s)
            except subprocess.TimeoutExpired:
                process.terminate()
                try:
                    process.wait(longest_s)
                except subprocess.TimeoutExpired:  # it blocks the signal
                    process.kill()
                    raise NoTraceError(f"{self.executable.name} did not end") from None
        if not trace.exists():
            raise NoTraceError(f"{self.executable.name} ended with {process.returncode} before its loop")
        return check(accesses.load(trace), self.constraints)


def asked_of_the_plugin(source: Path) -> dict[str, str]:
    """The environment by which the compiler's plugin learns how the annotated program is built; empty: without it."""
    text = source.read_text()
    return {variable: "1" for line, variable in _ASKED.items() if line in text}


def build(source: Path, folder: Path, late: bool = False, arguments: tuple[str, ...] = ()) -> Program:
    """`late`: with late points wherever there can be one, not only on paths that are rare."""
    bitcode, executable = folder / f"{source.stem}.bc", folder / source.stem
    common = ["clang-19", "-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone", f"-I{source.parent}"]
    text = source.read_text()
    options = [f"-Wl,-rpath,{RUNTIME.parent}"]
    options += [f"-Wl,--wrap={name}" for name in re.findall(r"ld --wrap=(\w+)", text)]
    options += ["-rdynamic"] if "dlsym(" in text else []
    environment = {**os.environ, "HEDDLE_SPECS": str(SPECS)}
    asked = asked_of_the_plugin(source) | ({"HEDDLE_LATE": "1", "HEDDLE_LATE_EVERYWHERE": "1"} if late else {})
    if asked:
        common.append(f"-fpass-plugin={PLUGIN}")
        environment |= asked | {"HEDDLE_BITCODE": str(bitcode)}
    else:
        subprocess.run([*common, "-emit-llvm", "-c", source, "-o", bitcode], check=True)
    subprocess.run(
        [*common, f"-fpass-plugin={PASS}", source, "-o", executable, *options, *LIBRARIES],
        env=environment,
        check=True,
    )
    return Program(executable, analyse(bitcode, folder / f"{source.stem}.json"), arguments)


def analyse(bitcode: Path, output: Path) -> Constraints:
    command: list[str | Path] = [ELYZE, bitcode, "--program", bitcode.stem, "--specs", SPECS, "-o", output]
    subprocess.run(command, check=True, timeout=LONGEST_ANALYSIS_S)
    return Constraints(schemas.load(output, "constraints"))
