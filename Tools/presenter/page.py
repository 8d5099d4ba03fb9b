"""The page Benchmarks.md: the main figures are visible, all others can be expanded."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from string import Template

from .plots import Plot
from .run import Bound, Check, Environment, Run, Scenario
from .text import count, figure, fixed, measured, sentence, share, table

PROGRAM = "swift run -c release ActorDIBench"


def page(run: Run, plots: dict[str, Plot]) -> str:
    """The page, with links to the plots in the folder `Benchmarks` next to it."""
    environment = run.environment
    folder = Path(__file__).parent
    return Template((folder / "page.md").read_text(encoding="utf-8")).substitute(
        processor=environment.processor,
        cores=count(environment.cores, "cores"),
        system=environment.system,
        compiler=environment.compiler,
        build="optimised" if environment.optimized else "**not optimised, so the figures mean nothing**",
        date=environment.date,
        commit=environment.commit,
        load=_load(environment),
        command=shlex.join([*PROGRAM.split(), *run.command_line[1:]]),
        bounds=_bounds(run.check) if run.check else "",
        losses=_losses(run),
        scenarios="\n".join(_section(one, plots.get(one.name)) for one in run.scenarios),
        server=(folder / "server.md").read_text(encoding="utf-8").rstrip(),
        repeats=run.repeats,
        milliseconds=f"{run.shortest_repeat_nanoseconds / 1e6:g}",
        shortest_load=f"{run.shortest_load_nanoseconds:g}",
        unmeasured="".join(f"- `{name}`: {reason}.\n" for name, reason in run.not_measurable.items()),
    )


def _load(environment: Environment) -> str:
    if environment.load is None:
        return "unknown"
    is_busy = environment.load > environment.cores
    return f"{environment.load:.1f}" + (": other programs disturbed the figures" if is_busy else "")


def _folded(title: str, content: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{content}\n</details>\n"


# Bounds


def _bounds(check: Check) -> str:
    titles = ["row", "what", "bound", "measured:", "verdict"]
    groups: dict[tuple[str, str], list[Bound]] = {}
    for bound in check.bounds:
        groups.setdefault((bound.row, bound.bound), []).append(bound)
    every = [[one.row, one.what, one.bound, figure(one.measured), _verdict(one)] for one in check.bounds]
    return (
        f"\n## Bounds\n\n{check.conclusion} F and C are the floors at the same number of threads. "
        f"`{PROGRAM} --check --filter P1` measures one row.\n\n{table(titles, [_group(one) for one in groups.values()])}\n"
        + _folded("Every bound", table(titles, every))
    )


def _verdict(bound: Bound) -> str:
    return bound.verdict + (f" (measured {bound.measurements} times)" if bound.measurements > 1 else "")


def _group(bounds: list[Bound]) -> list[str]:
    """One line for the bounds of a row that have the same limit."""
    figures = [one.measured for one in bounds if one.measured is not None]
    ends = dict.fromkeys(figure(end) for end in (min(figures), max(figures))) if figures else ["–"]
    short = sum(one.verdict == "FELL SHORT" for one in bounds)
    verdict = next((one.verdict for one in bounds if not one.met), "met")
    if short:
        verdict = "FELL SHORT" + (f" ({short} of {len(bounds)})" if len(bounds) > 1 else "")
    return [bounds[0].row, _title([one.what for one in bounds]), bounds[0].bound, " – ".join(ends), verdict]


def _title(whats: list[str]) -> str:
    """The beginning that all share, and the rest of each; only the first one if that is too long."""
    parts = [what.split(", ") for what in whats]
    shared = 0
    while all(len(one) > shared + 1 and one[shared] == parts[0][shared] for one in parts):
        shared += 1
    rests = " / ".join(", ".join(one[shared:]) for one in parts)
    if len(whats) > 1 and len(rests) > 80:
        return f"{whats[0]}, and {len(whats) - 1} more"
    return ", ".join([*parts[0][:shared], rests])


# The places where the container is slower


def _losses(run: Run) -> str:
    losses: dict[tuple[str, str], list[tuple[float, list[str]]]] = {}
    for scenario in run.scenarios:
        for own in (one for one in scenario.series if one.role == "container" and scenario.is_time):
            for other in (one for one in scenario.series if one.role in ("floor", "baseline") and one.lane == own.lane):
                ratio = own.ratio(other) or 0
                if ratio > 1:
                    place = [scenario.name, own.contender, count(own.lane, scenario.noun), other.contender]
                    group = losses.setdefault((scenario.name, other.contender), [])
                    group.append((ratio, [*place, fixed(ratio, " ×")]))
    if not losses:
        return "In this run, the container is nowhere slower than a floor or a baseline.\n"
    titles = ["scenario", "contender", "at", "is slower than", "by:"]
    worst = [[*max(group, key=lambda one: one[0])[1], str(len(group))] for group in losses.values()]
    all = [cells for group in losses.values() for _, cells in group]
    return (
        "The container compared with each floor and baseline: the worst place of each scenario, and the number of places "
        f"where the container is slower.\n\n{table([*titles, 'places:'], worst)}\n"
        + _folded(f"All {count(len(all), 'places')}", table(titles, all))
    )


# Scenarios


def _section(scenario: Scenario, plot: Plot | None) -> str:
    summary = sentence(scenario.summary)
    parts = [f"## {scenario.name}", f"{summary}. To repeat: `{PROGRAM} --filter {scenario.name}`"]
    if plot:
        parts.append(f"![{summary}: {plot.measure}, by {scenario.noun}](Benchmarks/{plot.file})")
    every = _figures(scenario) + "".join(f"\n- {note}\n" for note in scenario.notes)
    # With a single lane, the table of all figures has only one line for each contender.
    parts += [every] if len(scenario.lanes) == 1 else [_glance(scenario), _folded("Every figure", every)]
    return "\n\n".join(part.rstrip() for part in parts) + "\n"


def _glance(scenario: Scenario) -> str:
    """A line for each contender, with a column for each lane's median."""
    floor = scenario.names("floor")[0] if scenario.is_time and scenario.names("floor") else None
    has_speed_up = any(scenario.speed_up(one) for one in scenario.series)
    titles = [f"{scenario.unit}, by {scenario.noun}", *(f"{lane:,}:" for lane in scenario.lanes), "widest spread:"]
    titles += ([f"÷ {_short(floor)}:"] if floor else []) + (["best speed-up:"] if has_speed_up else [])
    rows: list[list[str]] = []
    for contender in scenario.contenders:
        all = scenario.of(contender)
        medians = {one.lane: measured(one.median) for one in all}
        cells = [contender, *(medians.get(lane, "") for lane in scenario.lanes)]
        cells.append(share(max((one.spread for one in all if one.spread is not None), default=None)))
        if floor:
            cells.append(_range(one.ratio(scenario.at(floor, one.lane)) for one in all))
        if has_speed_up:
            cells.append(fixed(max(filter(None, map(scenario.speed_up, all)), default=None), " ×"))
        rows.append(cells)
    return table(titles, rows)


def _range(ratios: Iterable[float | None]) -> str:
    known = [ratio for ratio in ratios if ratio is not None]
    ends = [min(known), max(known)] if known else []
    return " – ".join(dict.fromkeys(f"{end:.{2 if end < 10 else 0}f}" for end in ends))


def _figures(scenario: Scenario) -> str:
    """A line for each contender in each lane."""
    series = sorted(scenario.series, key=lambda one: one.lane)
    references = [*scenario.names("floor"), *scenario.names("baseline")] if scenario.is_time else []
    details = {name: detail.unit for one in series for name, detail in one.details.items()}
    columns = {f"{scenario.noun}:": [f"{one.lane:,}" for one in series], "contender": [one.contender for one in series]}
    columns[f"{scenario.unit}:"] = [measured(one.median) for one in series]
    columns["spread:"] = [share(one.spread) for one in series]
    columns["min – max:"] = [f"{measured(min(one.samples))} – {measured(max(one.samples))}" for one in series]
    if scenario.unit == "ns/op":
        columns["M ops/s:"] = [measured(1_000 / one.median) for one in series]
    for name in references:
        columns[f"÷ {_short(name)}:"] = [fixed(one.ratio(scenario.at(name, one.lane))) for one in series]
    for name, unit in details.items():
        figures = [one.details.get(name) for one in series]
        columns[f"{name}, {unit}:"] = [measured(one.median) if one else "" for one in figures]
    if any(scenario.speed_up(one) for one in series):
        columns["speed-up:"] = [fixed(scenario.speed_up(one)) for one in series]
    return table(list(columns), list(zip(*columns.values(), strict=True)))


def _short(name: str) -> str:
    """The abbreviation of a reference: F from `static let (floor F)`."""
    if "(floor " in name:
        return name.split("(floor ")[1].removesuffix(")")
    return "quiet" if ", quiet" in name else name
