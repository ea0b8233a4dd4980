"""The three crawlers print the same pages, and samples of where time goes are told apart by what they are in."""

from __future__ import annotations

import pytest

from bench import _samples, papers_crawler, servers
from heddle.measure.benchmark import Tools
from heddle.measure.load import WrongAnswersError
from heddle.system import places


@pytest.fixture(scope="module")
def measurement(tmp_path_factory: pytest.TempPathFactory) -> papers_crawler.Measurement:
    if not (places.build() / "pico/libheddle_pico.a").exists():
        pytest.skip("pico is not built")
    work = tmp_path_factory.mktemp("crawlers")
    return papers_crawler.Measurement(Tools(work), servers.crawlers(work / "programs"))


@pytest.mark.parametrize("name", papers_crawler.CRAWLERS)
@pytest.mark.parametrize(
    "web", [papers_crawler.Web(1, 1), papers_crawler.Web(300, 3), papers_crawler.Web(3, 2, 200_000)]
)
def test_each_crawler_visits_each_page_once(
    measurement: papers_crawler.Measurement, web: papers_crawler.Web, name: str
) -> None:
    with measurement.site(web) as server:
        figures = measurement.crawl(web, server.port, name)
    assert figures.per_s > 0
    assert figures.cpu_us > 0


def test_a_pool_of_fewer_threads_than_chains_visits_all(measurement: papers_crawler.Measurement) -> None:
    web = papers_crawler.Web(50, 3)
    with measurement.site(web) as server:
        measurement.crawl(web, server.port, papers_crawler.POOL, 2)


def test_a_crawler_that_misses_pages_is_an_error(measurement: papers_crawler.Measurement) -> None:
    with measurement.site(papers_crawler.Web(2, 2)) as server, pytest.raises(WrongAnswersError):
        measurement.crawl(papers_crawler.Web(2, 3), server.port, papers_crawler.PICO)


@pytest.mark.parametrize(
    ("stack", "kind"),
    [
        (("tcp_sendmsg", "__x64_sys_sendto", "__libc_send", "(anonymous namespace)::Crawler::visit"), _samples.NETWORK),
        (("__schedule", "schedule", "tcp_recvmsg", "__x64_sys_recvfrom", "__libc_recv"), _samples.THREADS),
        (("ep_poll", "do_epoll_wait", "__x64_sys_epoll_pwait2", "epoll_pwait2"), _samples.THREADS),
        (("copy_process", "kernel_clone", "__x64_sys_clone3", "__clone3"), _samples.THREADS),
        (("heddle::pico::Worker::park",), _samples.THREADS),
        (("heddle::pico::Socket::read",), _samples.NETWORK),
        (("clear_page", "asm_exc_page_fault", "heddle::pico::Task::entry"), _samples.THREADS),
        (("ksys_write", "__x64_sys_write", "__libc_write"), _samples.PROGRAM),
        (("__memmem_sse2",), _samples.PROGRAM),
        (("clear_page", "asm_exc_page_fault", "crawlers::Page::grow"), _samples.PROGRAM),
    ],
)
def test_samples_are_told_apart(stack: tuple[str, ...], kind: str) -> None:
    assert _samples.kind_of(stack) == kind


def test_the_output_of_perf_is_read() -> None:
    script = ["\tffffffff816b4862 do_dentry_open", "\tffffffff816b6ebc vfs_open", "", "\t 153e0 main", ""]
    assert list(_samples.stacks(script)) == [["do_dentry_open", "vfs_open"], ["main"]]
