"""The page Benchmarks.md: the main figures, every bound's worst point, and the places where the container is slower."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from string import Template

from .plots import Plot
from .run import Bound, Check, Environment, Run, Scenario, Series
from .text import count, figure, measured, table

PROGRAM = "swift run -c release ActorDIBench"

# The operations at a glance: name, scenario, contender.
OPERATIONS = [
    ("an existing singleton", "warm-singleton", "container"),
    ("… with `await`", "warm-singleton-await", "container"),
    ("… borrowed by `withResolved`", "with-resolved", "container, withResolved"),
    ("a new object", "transient", "container"),
    ("a graph of ten new objects", "graph", "container, autowired"),
    ("a request: its scope, a graph, a disposal", "request", "container"),
]

# A smaller difference is within the noise of a run.
LEAST_LOSS = 1.05
MOST_LOSSES = 20


def page(run: Run, plots: list[Plot]) -> str:
    """The page, with links to the plots in the folder `Benchmarks` next to it."""
    environment = run.environment
    content = Template(_text("page.md")).substitute(
        processor=environment.processor,
        cores=count(environment.cores, "cores"),
        system=environment.system,
        compiler=environment.compiler,
        build="optimised" if environment.optimized else "**not optimised, so the figures mean nothing**",
        date=environment.date,
        commit=environment.commit,
        load=_load(environment),
        command=shlex.join([*PROGRAM.split(), *run.command_line[1:]]),
        program=PROGRAM,
        summary=_summary(run),
        plots="".join(f"![{one.title}: {one.measure}](Benchmarks/{one.file})\n\n" for one in plots),
        bounds=_bounds(run.check) if run.check else "",
        sixteen_cores=_text("cores.md"),
        losses=_losses(run),
        server=_text("server.md"),
        repeats=run.repeats,
        milliseconds=f"{run.shortest_repeat_nanoseconds / 1e6:g}",
        shortest_load=f"{run.shortest_load_nanoseconds:g}",
        unmeasured="".join(f"- `{name}`: {reason}.\n" for name, reason in run.not_measurable.items()),
    )
    # A part may be empty.
    return re.sub(r"\n{3,}", "\n\n", content).rstrip() + "\n"


def _text(file: str) -> str:
    return (Path(__file__).parent / file).read_text(encoding="utf-8")


def _load(environment: Environment) -> str:
    if environment.load is None:
        return "unknown"
    is_busy = environment.load > environment.cores
    return f"{environment.load:.1f}" + (": other programs disturbed the figures" if is_busy else "")


def _summary(run: Run) -> str:
    """A line for each of the main operations."""
    cores = run.environment.cores
    rows: list[list[str]] = []
    for name, scenario_name, contender in OPERATIONS:
        found = run.find(scenario_name, contender)
        if found:
            scenario, series = found
            alone = series[0]
            together = max((one for one in series if one.lane <= cores), key=lambda one: one.lane, default=alone)
            rows.append([name, measured(alone.median), _multiple(scenario, alone), _rate(alone), _rate(together)])
    titles = ["operation", "ns:", "÷ floor:", "M/s, one thread:", f"M/s, {count(cores, 'threads')}:"]
    return table(titles, rows)


def _rate(series: Series) -> str:
    """Millions of operations per second."""
    return measured(1_000 / series.median)


def _multiple(scenario: Scenario, series: Series) -> str:
    floor = scenario.floor(series)
    ratio = series.ratio(floor)
    return f"{ratio:.2f} {_short(floor.contender)}" if floor and ratio else ""


def _short(name: str) -> str:
    """The abbreviation of a floor: F from `static let (floor F)`."""
    return name.split("(floor ")[1].removesuffix(")") if "(floor " in name else name


# Bounds


def _bounds(check: Check) -> str:
    """A line for each bound, with its worst point."""
    rows = [[one.row, one.what, one.bound, figure(one.measured), _points(one), _verdict(one)] for one in check.bounds]
    return (
        f"## Bounds\n\n{check.conclusion} The figure is that of the worst point, such as a number of threads. F and C are the floors at "
        f"the\nsame point. `{PROGRAM} --check --filter P1` measures one row.\n\n"
        + table(["row", "what", "bound", "measured:", "worst point", "verdict"], rows)
    )


def _points(bound: Bound) -> str:
    """The worst point and the number of points, if there are several."""
    return f"{bound.worst_at} (of {len(bound.points)})" if len(bound.points) > 1 else ""


def _verdict(bound: Bound) -> str:
    return bound.verdict + (f" (measured {bound.measurements} times)" if bound.measurements > 1 else "")


# The places where the container is slower


def _losses(run: Run) -> str:
    """The worst place of each scenario, next to a floor and next to code by hand."""
    losses: list[tuple[float, list[str]]] = []
    for scenario in run.scenarios:
        worst = [_worst(scenario, role) for role in ("floor", "baseline")]
        ratio = max(ratio for ratio, _ in worst)
        if ratio > LEAST_LOSS:
            losses.append((ratio, [scenario.name, *(cell for _, cells in worst for cell in cells)]))
    if not losses:
        return "In this run, the container is nowhere slower than a floor or code by hand.\n"
    losses.sort(key=lambda loss: -loss[0])
    titles = ["scenario", "next to a floor", "÷:", "next to code by hand", "÷:"]
    shown, rest = losses[:MOST_LOSSES], losses[MOST_LOSSES:]
    text = f"The worst place of each scenario where the container takes more than {LEAST_LOSS:g} times as long.\n\n"
    text += table(titles, [cells for _, cells in shown])
    if rest:
        names = ", ".join(f"`{cells[0]}`" for _, cells in rest)
        text += f"\nAt most {rest[0][0]:.2f} times as long: {names}.\n"
    return text


def _worst(scenario: Scenario, role: str) -> tuple[float, list[str]]:
    """The largest ratio of the container to a contender of a role, with its place."""
    pairs = [
        (own.ratio(other) or 0, own, other)
        for own in scenario.series
        for other in scenario.series
        if scenario.is_time and own.role == "container" and other.role == role and own.lane == other.lane
    ]
    ratio, own, other = max(pairs, key=lambda pair: pair[0], default=(0, None, None))
    if not own or not other or ratio <= LEAST_LOSS:
        return ratio, ["", ""]
    return ratio, [f"{own.contender}, {count(own.lane, scenario.noun)}: {_short(other.contender)}", figure(ratio)]
