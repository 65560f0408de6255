"""What is asked of a server, how its answers and refusals are taken, and what an outage costs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timezone
from pathlib import Path

import pytest

from pylatencymap.cli.commands.fleet.prometheus import SaidOutages, ServerSource
from pylatencymap.cli.commands.fleet.prometheus_options import access_of, collect_arguments, live_arguments
from pylatencymap.collectors.prometheus_api.histograms import NewRecords
from pylatencymap.errors import SourceError, UsageError
from pylatencymap.prometheus import (
    ApiClient,
    ExpressionReader,
    PollingLoop,
    RawReader,
    Selector,
    ServerAccess,
    ServerTrouble,
    checked_url,
    header_of,
    parse_selector,
    rate_of,
)
from pylatencymap.record import Mark, Record, Semantics, Stamp
from pylatencymap.report import Report
from pylatencymap.units import Unit

from .conftest import Script, matrix

NOTHING = matrix()


@pytest.mark.parametrize(
    ("text", "metric", "matchers"),
    [
        ("rpc_seconds", "rpc_seconds", ()),
        ("rpc_seconds_bucket", "rpc_seconds", ()),
        ("rpc_seconds_count{}", "rpc_seconds", ()),
        ('rpc_seconds{job="a", op!~"x|}"}', "rpc_seconds", ('job="a"', 'op!~"x|}"')),
        ("""{__name__="a:rpc_seconds_sum",job='b',}""", "a:rpc_seconds", ("job='b'",)),
    ],
)
def test_a_selector_is_that_of_all_parts_of_a_histogram(text: str, metric: str, matchers: tuple[str, ...]) -> None:
    found = parse_selector(text)
    assert found == Selector(metric, matchers)
    asked = found.of_histogram(60.001)
    assert asked.startswith(f'{{__name__=~"{metric}(_bucket|_sum|_count|_created|_estimated_total)?"')
    assert asked.endswith("}[60001ms]")


@pytest.mark.parametrize(
    "text",
    [
        "rate(x_bucket[1m])",
        "sum by (le) (x)",
        'x{le="1"}',
        "x[5m]",
        'x{job="a}',
        "",
        "{}",
        '{__name__=~"x.*"}',
        "x + y",
    ],
)
def test_any_other_expression_is_none(text: str) -> None:
    assert parse_selector(text) is None


@pytest.mark.parametrize("text", ['x_seconds{job="a"', "x_seconds --last 5m", "x-y", 'x_seconds{job="a"} > 3'])
def test_what_is_no_selector_and_no_expression_is_refused_as_such(text: str) -> None:
    with pytest.raises(UsageError, match="neither a metric with matchers"):
        rate_of(text)


def test_what_the_numbers_of_an_expression_are() -> None:
    assert rate_of("sum by (le) (rate(x_bucket[5m]))").seconds == 1
    assert rate_of("sum by (le) (increase(x_bucket[1h30m]))").seconds == 5400
    for expression in ("sum by (le) (x_bucket)", "sum(increase(x))"):
        with pytest.raises(UsageError, match="sums of totals fall when one of them goes"):
            rate_of(expression)


def test_a_part_of_the_time_ends_with_the_option_that_the_help_shows() -> None:
    for arguments in (live_arguments(), collect_arguments()):
        (shown,) = (line for line in arguments.format_help().splitlines() if " --from -2h " in line and "rpc" in line)
        options = arguments.parsed(["rpc_seconds", *shown.split()[-4:]])
        assert options.since is not None
        assert options.until is not None
    with pytest.raises(UsageError, match="--until -1h is the option for a time"):
        collect_arguments().parsed(["rpc_seconds", "--from", "-2h", "--to", "-1h"])


class TestSecrets:
    def test_none_comes_from_a_command_line(self) -> None:
        for text in ("http://u:p@host:9090", "http://u@host"):
            with pytest.raises(UsageError, match="does not belong into a command line") as raised:
                checked_url(text)
            assert "u:p" not in str(raised.value)
        for text in ("Authorization: Bearer abc", "cookie: abc"):
            with pytest.raises(UsageError, match="token-file") as raised:
                header_of(text)
            assert "abc" not in str(raised.value)
        assert header_of("X-Scope-OrgID: team") == ("X-Scope-OrgID", "team")

    def test_the_password_comes_from_a_file_or_the_environment_and_leaves_that(self, tmp_path: Path) -> None:
        file = tmp_path / "password"
        file.write_text("from the file\n")
        file.chmod(0o600)
        environ = {"PYLATENCYMAP_PROMETHEUS_PASSWORD": "from there", "PYLATENCYMAP_PROMETHEUS_URL": "http://other:1"}
        options = live_arguments().parsed(["x_seconds", "--user", "reader"])
        access = access_of(options, environ)
        assert (access.password, access.url) == ("from there", "http://other:1")
        assert "PYLATENCYMAP_PROMETHEUS_PASSWORD" not in environ
        assert "from there" not in repr(access)
        options = live_arguments().parsed(["x_seconds", "--user", "reader", "--password-file", str(file)])
        assert access_of(options, {}).password == "from the file"

    def test_a_token_is_read_again_when_the_server_refuses_it(self, script: Script, url: str, tmp_path: Path) -> None:
        file = tmp_path / "token"
        file.write_text("old\n")
        client = ApiClient(ServerAccess(url, token_file=str(file), headers=(("X-Scope-OrgID", "team"),)))
        file.write_text("new\n")
        script.answers = [(401, b"Unauthorized"), (200, NOTHING)]
        client.query("up", 1.0)
        assert [headers["Authorization"] for *_, headers in script.asked] == ["Bearer old", "Bearer new"]
        assert script.asked[0][3]["X-Scope-OrgID"] == "team"

    def test_a_token_that_ran_out_may_be_renewed_later(self, script: Script, url: str, tmp_path: Path) -> None:
        file = tmp_path / "token"
        file.write_text("good\n")
        client = ApiClient(ServerAccess(url, token_file=str(file)))
        finals = []
        for answers in ([(401, b"who?")], [(200, NOTHING)], [(401, b"expired")]):
            script.answers = answers
            try:
                client.query("up", 1.0)
            except ServerTrouble as trouble:
                finals.append(trouble.is_final)
        assert finals == [True, False]

    def test_basic_authentication(self, script: Script, url: str) -> None:
        script.answers = [(200, NOTHING), (401, b"Unauthorized")]
        ApiClient(ServerAccess(url, user="reader", password="secret")).query("up", 1.0)
        assert script.asked[0][3]["authorization"] == "Basic cmVhZGVyOnNlY3JldA=="
        with pytest.raises(ServerTrouble, match="status 401: Unauthorized; the server refuses these credentials") as it:
            ApiClient(ServerAccess(url, user="reader", password="secret")).query("up", 1.0)
        assert "secret" not in str(it.value)


class TestTroubles:
    @pytest.mark.parametrize(
        ("name", "status", "final", "too_much", "words"),
        [
            ("p242/error_syntax.json", 400, True, False, "status 400: bad_data: invalid parameter"),
            ("p242/error_timeout.json", 503, False, True, "timeout"),
            ("p242_secure/too_many_samples.json", 422, True, True, "too many samples"),
            ("p242_secure/no_credentials.txt", 401, True, False, "Unauthorized; --user NAME or --token-file"),
            ("p242_secure/http_to_https.txt", 400, True, False, "--url https://"),
        ],
    )
    def test_a_refusal_says_what_to_do(
        self, shared: Path, script: Script, url: str, name: str, status: int, final: bool, too_much: bool, words: str
    ) -> None:
        script.answers = [(status, (shared / "facts" / "prometheus-data" / name).read_bytes())]
        with pytest.raises(ServerTrouble, match=words) as raised:
            ApiClient(ServerAccess(url)).query("x", 1.0)
        assert (raised.value.is_final, raised.value.is_too_much) == (final, too_much)
        assert f"{url}/api/v1/query: status {status}" in str(raised.value)

    def test_what_is_no_prometheus_is_final(self, script: Script, url: str) -> None:
        script.answers = [(200, b"<html>")]
        with pytest.raises(ServerTrouble, match="not that of Prometheus' API") as raised:
            ApiClient(ServerAccess(url)).query("x", 1.0)
        assert raised.value.is_final

    def test_a_page_of_a_proxy_is_named(self, script: Script, url: str) -> None:
        script.answers = [(200, b"<!doctype html><html><head><title>Sign\n in</title>")]
        with pytest.raises(ServerTrouble, match=r"a page of HTML, 'Sign in', .*--url its address, .*--token-file"):
            ApiClient(ServerAccess(url)).query("x", 1.0)

    def test_a_server_without_tls_is_not_asked_for_a_certificate(self, script: Script, url: str) -> None:
        script.answers = [(200, NOTHING)]
        with pytest.raises(ServerTrouble, match=r"TLS failed: .*does the server speak TLS") as raised:
            ApiClient(ServerAccess(url.replace("http:", "https:"))).query("x", 1.0)
        assert raised.value.is_final
        assert "--cacert" not in str(raised.value)

    def test_a_file_without_certificate_is_named(self, url: str, tmp_path: Path) -> None:
        file = tmp_path / "ca.pem"
        file.write_text("no certificate\n")
        with pytest.raises(ServerTrouble, match=r"--cacert .*ca\.pem holds no certificate in PEM"):
            ApiClient(ServerAccess(url.replace("http:", "https:"), ca_file=str(file))).query("x", 1.0)

    def test_a_server_that_is_not_there_may_come(self) -> None:
        with pytest.raises(ServerTrouble, match=r"no connection: .*refused; is the server there") as raised:
            ApiClient(ServerAccess("http://127.0.0.1:1")).query("x", 1.0)
        assert not raised.value.is_final

    def test_a_proxy_without_post_is_asked_by_get(self, script: Script, url: str) -> None:
        script.answers = [(405, b"no"), (200, NOTHING)]
        ApiClient(ServerAccess(url)).query("x", 1.5)
        assert [(method, path, form) for method, path, form, _ in script.asked] == [
            ("POST", "/api/v1/query", {"query": "x", "time": "1.500"}),
            ("GET", "/api/v1/query", {"query": "x", "time": "1.500"}),
        ]


def buckets(values: list[tuple[float, int]], **labels: str) -> list[tuple[dict[str, str], list[tuple[float, str]]]]:
    names = {"__name__": "x_seconds_bucket", "instance": "a", **labels}
    return [({**names, "le": le}, [(at, str(count)) for at, count in values]) for le in ("0.1", "+Inf")]


class TestWindows:
    def test_a_window_with_too_many_samples_is_halved(self, script: Script, url: str, shared: Path) -> None:
        too_many = (shared / "facts" / "prometheus-data" / "p242_secure" / "too_many_samples.json").read_bytes()
        script.answers = [(422, too_many), (422, too_many), (200, NOTHING)]
        reader = RawReader(ApiClient(ServerAccess(url)), Selector("x_seconds"), Report(""))
        ends = [until for until, _ in reader.span(1000.0, 1300.0)]
        assert ends == [1075.0, 1150.0, 1225.0, 1300.0]
        assert [form["query"].rpartition("[")[2] for _, _, form, _ in script.asked][:3] == [
            "300001ms]", "150001ms]", "75001ms]",
        ]  # fmt: skip

    def test_samples_that_come_twice_count_once(self, script: Script, url: str) -> None:
        first = [(1000.0 + at, 10 * at) for at in range(6)]
        script.answers = [
            (200, matrix(*buckets(first))),
            (200, matrix(*buckets([*first[-2:], (1006.0, 60), (1007.0, 75)]))),
        ]
        reader = RawReader(ApiClient(ServerAccess(url)), Selector("x_seconds"), Report(""))
        found = [one for _, new in reader.span(999.0, 1005.5) for one in new.records]
        found += [one for _, new in reader.span(1003.0, 1007.5) for one in new.records]
        assert [one.events for one in found] == [10] * 6 + [15]
        assert reader.seconds == 1.0

    def test_an_expression_is_asked_by_steps_each_of_them_once(self, script: Script, url: str) -> None:
        def answer(*moments: float) -> bytes:
            return matrix(*[({"le": le}, [(at, "2.5") for at in moments]) for le in ("0.1", "+Inf")])

        script.answers = [(200, answer(1005.0, 1010.0)), (200, answer(1015.0))]
        reader = ExpressionReader(ApiClient(ServerAccess(url)), "sum by (le) (rate(x[1m]))", 5.0, Report(""))
        found = [one for _, new in reader.span(1001.0, 1012.0) for one in new.records]
        found += [one for _, new in reader.span(1009.0, 1016.0) for one in new.records]
        assert [(one.start, one.events) for one in found] == [(at * 10**6, 12.5) for at in (1000, 1005, 1010)]
        asked = [(form["start"], form["end"], form["step"]) for _, _, form, _ in script.asked]
        assert asked == [("1005.000", "1010.000", "5.000"), ("1015.000", "1015.000", "5.000")]


class TestBegin:
    """When what is asked for begins: the clock of the server shows 1000, and it scrapes every 5 s."""

    def begins(self, script: Script, url: str, *arguments: str) -> float:
        now = matrix(({}, [(1000.0, "1000")]))
        script.answers = [(200, now), (200, matrix(*buckets([(980.0 + 5 * at, at) for at in range(4)])))]
        options = live_arguments().parsed(["x_seconds", "--url", url, "--once", *arguments])
        return ServerSource(options, access_of(options, {}), lambda _: None).start

    def test_some_minutes_are_shown_before_what_comes(self, script: Script, url: str) -> None:
        assert self.begins(script, url) == 700.0

    @pytest.mark.parametrize("limit", ["--count", "--duration"])
    def test_a_limit_counts_from_the_last_scrapes(self, script: Script, url: str, limit: str) -> None:
        assert self.begins(script, url, limit, "60") == 990.0

    def test_or_from_the_begin_that_is_asked_for(self, script: Script, url: str) -> None:
        assert self.begins(script, url, "--last", "2m", "--duration", "60") == 880.0


def test_an_outage_is_said_once_where_there_is_no_view() -> None:
    said: list[str] = []
    watch = SaidOutages(timezone.utc, said.append)
    watch.asks()
    watch.lost("no answer", 1.0)
    watch.lost("no answer", 2.0)
    over = watch.answered()
    assert said == ["no answer; it is asked again until it answers", f"the server answers again; {over}"]
    assert not watch.answered()
    assert len(said) == 2


def test_a_name_that_the_server_does_not_have_is_said_while_it_is_asked_for() -> None:
    """In the view as long as it is so, elsewhere once."""
    said: list[str] = []
    reasons = iter(["is the name right?", "is the name right?", ""])
    watch = SaidOutages(timezone.utc, said.append, lambda: next(reasons))
    for shown in ("is the name right?", "is the name right?", ""):
        watch.answered()
        assert watch.silence_notice(1.0) == shown
    assert said == ["is the name right? It is asked again"]


class Clock:
    """A clock that passes only while somebody pauses; ``stop`` after so many pauses."""

    def __init__(self, pauses: int) -> None:
        self.now = 50.0
        self.is_set = False
        self._left = pauses

    def pause(self, seconds: float) -> None:
        self.now += max(seconds, 0.0)
        self._left -= 1
        self.is_set = self._left <= 0

    def monotonic(self) -> float:
        return self.now


class Watch:
    def __init__(self) -> None:
        self.said: list[str] = []
        self._away = False

    def asks(self) -> None:
        pass

    def lost(self, reason: str, retry: float) -> None:
        self.said.append(f"{reason}, {retry:g}")
        self._away = True

    def answered(self) -> str:
        away, self._away = self._away, False
        return "away for a while" if away else ""


class Told:
    """A reader that knows a record for each second, and fails when it is told to."""

    def __init__(self, failures: dict[int, ServerTrouble]) -> None:
        self.seconds: float | None = 1.0
        self.spans: list[tuple[float, float]] = []
        self._failures = failures
        self._done = 1000.0

    def span(self, start: float, end: float) -> Iterator[tuple[float, NewRecords]]:
        self.spans.append((start, end))
        if trouble := self._failures.get(len(self.spans)):
            raise trouble
        assert start <= self._done, "something would be left out"
        stamps = range(int(self._done) + 1, int(end) + 1)
        self._done = max(self._done, float(int(end)))
        yield end, NewRecords([Record("x", Unit.US, (), Semantics.INTERVAL, Stamp(at * 10**6)) for at in stamps], [])


class TestOutages:
    def loop(self, reader: Told, clock: Clock, watch: Watch) -> PollingLoop:
        return PollingLoop(reader, lambda: clock.now + 950.0, clock, watch, monotonic=clock.monotonic)

    def test_nothing_that_the_server_stored_meanwhile_is_lost(self) -> None:
        away = ServerTrouble("refused")
        reader, clock, watch = Told({3: away, 4: away, 5: away}), Clock(10), Watch()
        found = list(self.loop(reader, clock, watch).events(999.0))
        stamps = [one.stamp.micros // 10**6 for one in found if isinstance(one, Record) and one.stamp]
        assert stamps == list(range(1001, stamps[-1] + 1))
        assert watch.said == ["refused, 1", "refused, 2", "refused, 4"]
        assert [one.note for one in found if isinstance(one, Mark)] == ["away for a while"]

    def test_a_trouble_that_does_not_pass_ends_it(self) -> None:
        reader = Told({2: ServerTrouble("who are you", is_final=True)})
        with pytest.raises(SourceError, match="who are you"):
            list(self.loop(reader, Clock(10), Watch()).events(999.0))
