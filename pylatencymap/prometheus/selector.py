"""What the user names: the metric of a histogram with its labels, or an expression."""

from __future__ import annotations

import re
from typing import NamedTuple

from ..collectors.prometheus_api.samples import KINDS

_NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
_STRING = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'|`[^`]*`'
_MATCHER = re.compile(rf"\s*({_NAME})\s*(=~|!~|!=|=)\s*({_STRING})\s*(?:,|$)")
_SELECTOR = re.compile(rf"\s*({_NAME})?\s*(?:\{{((?:[^\"'`}}]|{_STRING})*)\}})?\s*")
_WORDS = frozenset(("le", "__name__", "vmrange"))


class Selector(NamedTuple):
    """A metric without the suffixes of a histogram's parts, and the matchers of its labels as PromQL has them."""

    metric: str
    matchers: tuple[str, ...] = ()

    def of_histogram(self, seconds: float) -> str:
        """A range selector of everything that the histogram exposes."""
        parts = "|".join(kind for kind in KINDS)
        return self._ranged((f'__name__=~"{self.metric}({parts})?"', *self.matchers), seconds)

    def of_exemplars(self) -> str:
        """A selector of the series that can have exemplars: buckets, or the native histogram itself."""
        name = f'__name__=~"{self.metric}(_bucket)?"'
        return f"{{{','.join((name, *self.matchers))}}}"

    @staticmethod
    def of_instances(jobs: frozenset[str], seconds: float) -> str:
        """A range selector of what is known of the instances of some jobs."""
        names = "|".join(re.escape(job).replace("\\", "\\\\").replace('"', '\\"') for job in sorted(jobs))
        return Selector._ranged(('__name__=~"up|process_start_time_seconds"', f'job=~"{names}"'), seconds)

    @staticmethod
    def _ranged(matchers: tuple[str, ...], seconds: float) -> str:
        return f"{{{','.join(matchers)}}}[{round(seconds * 1000)}ms]"


def parse_selector(text: str) -> Selector | None:
    """The selector of a metric, as ``NAME`` or ``NAME_bucket{job="a"}``; None for any other expression."""
    found = _SELECTOR.fullmatch(text)
    if found is None:
        return None
    name, inner = found[1] or "", (found[2] or "").strip()
    matchers, place = [], 0
    while place < len(inner):
        one = _MATCHER.match(inner, place)
        if one is None:
            return None
        if one[1] == "__name__" and one[2] == "=" and not name:
            name = one[3][1:-1]
        elif one[1] in _WORDS:
            return None
        else:
            matchers.append(f"{one[1]}{one[2]}{one[3]}")
        place = one.end()
    if not re.fullmatch(_NAME, name):
        return None
    kind = next((kind for kind in KINDS if name.endswith(kind) and name != kind), "")
    return Selector(name.removesuffix(kind), tuple(matchers))
