"""Conditions about a run, such as ``p99 > 10ms``: their language, their verdicts, and these as JUnit XML.

    verdicts = check_conditions(parse_conditions(["p99 > 10ms"]), recorded_series(window))
    status = exit_status(verdicts)

docs/acceptance.md describes the language.
"""

from typing import TYPE_CHECKING

from ..lazily import lazily

if TYPE_CHECKING:
    from .evaluation import check_conditions as check_conditions
    from .grammar import (
        parse_condition as parse_condition,
        parse_conditions as parse_conditions,
        parse_lasting as parse_lasting,
    )
    from .junit import junit_xml as junit_xml
    from .measures import (
        Recorded as Recorded,
        recorded_lately as recorded_lately,
        recorded_series as recorded_series,
    )
    from .syntax import Condition as Condition, LastingCondition as LastingCondition
    from .verdicts import (
        ConditionVerdict as ConditionVerdict,
        exit_status as exit_status,
        undecided as undecided,
    )
else:
    __getattr__ = lazily(
        __name__,
        {
            "evaluation": "check_conditions",
            "grammar": "parse_condition parse_conditions parse_lasting",
            "junit": "junit_xml",
            "measures": "Recorded recorded_lately recorded_series",
            "syntax": "Condition LastingCondition",
            "verdicts": "ConditionVerdict exit_status undecided",
        },
    )
