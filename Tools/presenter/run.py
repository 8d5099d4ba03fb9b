"""A run of ActorDIBench, read from its JSON report."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec
import numpy as np


class Unreadable(Exception):
    """The reason why a file cannot be used as a report."""


class Record(msgspec.Struct, rename="camel"):
    """An object of the report, whose members have names such as `isTime`. Members without a field are ignored."""


class Figure(Record):
    samples: list[float]  # one for each repeat
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.samples:
            raise ValueError("no samples")

    def quantile(self, share: float) -> float:
        return float(np.quantile(self.samples, share))

    @property
    def median(self) -> float:
        return self.quantile(0.5)


class Series(Figure, kw_only=True):
    """The figures of one contender in one lane: a number of threads, tasks, registrations or parameters."""

    contender: str
    role: Literal["floor", "baseline", "container", "probe"]
    lane: int
    details: dict[str, Figure]

    def ratios(self, reference: Series) -> list[float]:
        """Each sample divided by the reference's sample of the same repeat, because the machine's speed drifts."""
        return [own / other for own, other in zip(self.samples, reference.samples, strict=False) if other > 0]

    def ratio(self, reference: Series | None) -> float | None:
        ratios = self.ratios(reference) if reference and reference.contender != self.contender else []
        return float(np.median(ratios)) if ratios else None


class Scenario(Record, kw_only=True):
    name: str
    summary: str
    unit: str
    is_time: bool
    noun: str = msgspec.field(name="lanes")
    is_parallel: bool
    series: list[Series]

    @property
    def contenders(self) -> list[str]:
        return list(dict.fromkeys(one.contender for one in self.series))

    def of(self, contender: str) -> list[Series]:
        return sorted((one for one in self.series if one.contender == contender), key=lambda one: one.lane)

    def at(self, contender: str, lane: int) -> Series | None:
        return next((one for one in self.of(contender) if one.lane == lane), None)

    def floor(self, series: Series) -> Series | None:
        """The first floor in the same lane; `None` for that floor itself, and if the figures are no times."""
        floors = [one for one in self.series if one.role == "floor" and one.lane == series.lane and self.is_time]
        return floors[0] if floors and floors[0] is not series else None


class Point(Record):
    name: str


class Bound(Record):
    """A limit and its figure at the worst of its points, such as several numbers of threads."""

    row: str
    what: str
    bound: str
    measured: float | None
    verdict: str
    met: bool
    measurements: int
    worst_at: str = ""
    points: list[Point] = []


class Check(Record):
    conclusion: str
    bounds: list[Bound]


class Environment(Record):
    processor: str
    cores: int
    system: str
    compiler: str
    optimized: bool
    date: str
    commit: str
    load: float | None


class Run(Record):
    tool: Literal["ActorDIBench"]
    version: Literal[1]
    environment: Environment
    command_line: list[str]
    repeats: int
    shortest_repeat_nanoseconds: int
    shortest_load_nanoseconds: float
    scenarios: list[Scenario]
    not_measurable: dict[str, str]
    check: Check | None

    def find(self, scenario: str, contender: str) -> tuple[Scenario, list[Series]] | None:
        """A contender's series in a scenario; `None` if the scenario was not measured.

        Raises `Unreadable` if the scenario has no such contender, so that the page does not lose a line unnoticed.
        """
        found = next((one for one in self.scenarios if one.name == scenario), None)
        if not found:
            return None
        if series := found.of(contender):
            return found, series
        raise Unreadable(f"the scenario '{scenario}' has no contender '{contender}', which the page shows")


def load(path: str) -> Run:
    """Reads a report. Raises `Unreadable` if the file does not exist or contains none."""
    try:
        return msgspec.json.decode(Path(path).read_bytes(), type=Run)
    except OSError as error:
        raise Unreadable(f"cannot read '{path}': {error.strerror}") from None
    except msgspec.DecodeError as error:
        raise Unreadable(f"'{path}' is not a report of ActorDIBench --format json: {error}") from None
