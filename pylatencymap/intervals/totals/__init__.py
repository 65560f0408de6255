"""Judges totals: what it means if counts or times waited fall, and which times waited the counts allow."""

from .damaged_sums import SumsJudge as SumsJudge
from .possible_sums import is_possible_sum as is_possible_sum, sum_limits as sum_limits
from .running_totals import Meaning as Meaning, Verdict as Verdict
from .steady_counts import HeldTotals as HeldTotals, TotalsJudge as TotalsJudge
