"""The differences between two runs.

A time is compared as a multiple of the floor in the same repeat, because machines differ and drift. A floor is compared directly: if it
differs, the machine does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .run import Run, Scenario, Series
from .text import count, measured, table

# Two builds of the same code differ by less, depending on the placement of their loops.
LEAST_CHANGE = 0.05
# Fewer repeats do not show the noise.
LEAST_REPEATS = 3

RULE = (
    "Each figure is a median, with the middle three quarters of the repeats. A difference is beyond noise if these do "
    f"not overlap and the medians differ by at least {LEAST_CHANGE:.0%}."
)


@dataclass(frozen=True)
class Interval:
    """The median of the repeats and their middle three quarters, without the repeats that other programs disturbed."""

    repeats: int
    median: float
    lower: float
    upper: float

    @classmethod
    def of(cls, samples: list[float]) -> Interval:
        return cls(len(samples), *(float(np.quantile(samples, share)) for share in (1 / 2, 1 / 8, 7 / 8)))

    def overlaps(self, other: Interval) -> bool:
        return self.lower <= other.upper and other.lower <= self.upper

    def __str__(self) -> str:
        return f"{measured(self.median)} ({measured(self.lower)} – {measured(self.upper)})"


@dataclass(frozen=True)
class Row:
    scenario: str
    series: Series
    measure: str
    old: Interval
    new: Interval

    @property
    def change(self) -> float:
        """The change as a share of the old figure; infinite if that is 0."""
        if self.old.median == 0:
            return 0 if self.new.median == 0 else float("inf")
        return self.new.median / self.old.median - 1

    @property
    def is_beyond_noise(self) -> bool:
        has_repeats = min(self.old.repeats, self.new.repeats) >= LEAST_REPEATS
        return has_repeats and not self.old.overlaps(self.new) and abs(self.change) >= LEAST_CHANGE

    @property
    def verdict(self) -> str:
        if not self.is_beyond_noise:
            return "within noise"
        if self.series.role in ("floor", "probe"):
            return "the machine differs"
        return "WORSE" if self.new.median > self.old.median else "better"


def compare(old: Run, new: Run) -> list[Row]:
    """The figures that both runs have: first those beyond noise, in descending order of change."""
    rows: list[Row] = []
    for scenario in new.scenarios:
        for series in scenario.series:
            past, before = _counterpart(old, scenario, series)
            if past and before:
                rows.append(_row(scenario, series, past, before))
                # The rate of the other task is neither good nor bad.
                for name in [name for name in series.details if name in before.details and name != "other task"]:
                    one, other = before.details[name], series.details[name]
                    measure = f"{name}, {other.unit}"
                    rows.append(
                        Row(scenario.name, series, measure, Interval.of(one.samples), Interval.of(other.samples))
                    )
    return sorted(rows, key=lambda row: (not row.is_beyond_noise, -abs(row.change) if row.is_beyond_noise else 0))


def _counterpart(run: Run, scenario: Scenario, series: Series) -> tuple[Scenario | None, Series | None]:
    """The same scenario and series in another run."""
    same = next((one for one in run.scenarios if (one.name, one.unit) == (scenario.name, scenario.unit)), None)
    return same, same.at(series.contender, series.lane) if same else None


def _row(scenario: Scenario, series: Series, past: Scenario, before: Series) -> Row:
    floor, past_floor = scenario.floor(series), past.floor(before)
    # A second floor is compared directly, too.
    if series.role != "floor" and floor and past_floor and floor.contender == past_floor.contender:
        old, new = before.ratios(past_floor), series.ratios(floor)
        if old and new:
            return Row(scenario.name, series, "÷ floor", Interval.of(old), Interval.of(new))
    return Row(scenario.name, series, scenario.unit, Interval.of(before.samples), Interval.of(series.samples))


def notes(old: Run, new: Run, names: list[str]) -> list[str]:
    """The reasons why the runs are hard to compare, and the figures that only one of them has."""
    notes: list[str] = []
    if old.environment.optimized != new.environment.optimized:
        notes.append("Only one of the runs was built with optimisation, so the figures are not comparable.")
    if old.environment.processor != new.environment.processor:
        notes.append("The processors differ, and with them even multiples of a floor.")
    for name, run, other in ((names[0], old, new), (names[1], new, old)):
        for scenario in run.scenarios:
            for contender in scenario.contenders:
                absent = [one for one in scenario.of(contender) if not _counterpart(other, scenario, one)[1]]
                if absent:
                    lanes = ", ".join(f"{one.lane:,}" for one in absent)
                    notes.append(f"Only in {name}: {scenario.name}, {contender}, {lanes} {scenario.noun}.")
    return notes


def text(old: Run, new: Run, names: list[str]) -> str:
    """The comparison as Markdown that is readable as text."""
    rows = compare(old, new)
    verdicts = [row.verdict for row in rows]
    worse, better, machine = (verdicts.count(one) for one in ("WORSE", "better", "the machine differs"))
    conclusion = f"Beyond noise: {worse} worse, {better} better, of {count(len(rows), 'figures')}"
    conclusion += f"; the machine differs in {machine}." if machine else "."
    titles = ["scenario", "lane:", "contender", "figure", "old:", "new:", "change:", "verdict"]
    cells = [
        [row.scenario, f"{row.series.lane:,}", row.series.contender, row.measure]
        + [str(row.old), str(row.new), f"{row.change:+.1%}", row.verdict]
        for row in rows
    ]
    heading = "# What has changed\n"
    for which, name, run in zip(("old", "new"), names, (old, new), strict=True):
        heading += f"\n- {which}: {name}, {run.environment.commit}, {run.environment.date}, {run.environment.processor}"
    remarks = "".join(f"- {note}\n" for note in [*notes(old, new, names), RULE])
    return "\n".join([heading + "\n", conclusion + "\n", table(titles, cells, padded=True), remarks])
