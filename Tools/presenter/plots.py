"""Plots for light and dark pages: a line for each contender, labelled at its end."""

from __future__ import annotations

import io
from dataclasses import dataclass
from html import escape
from pathlib import Path

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from .run import Run, Scenario, Series
from .text import sentence

# Each colour for light pages, with its counterpart for dark ones.
TEXT = {"#1f2328": "#e6edf3", "#57606a": "#9198a1"}
FLOORS = {"#6e7781": "#8b949e"}
CONTAINERS = {"#0969da": "#58a6ff", "#1a7f37": "#3fb950", "#8250df": "#bc8cff", "#bf3989": "#f778ba"}
CONTAINERS |= {"#0b7285": "#39c5cf", "#7d6200": "#d4b72a", "#3b4cca": "#8f9bff", "#5b8c00": "#a5d63f"}
BASELINES = {"#bc4c00": "#f0883e", "#cf222e": "#ff7b72", "#7d4e32": "#d2a58a"}
PALETTES = {"floor": FLOORS, "container": CONTAINERS, "baseline": BASELINES}
DARK = TEXT | FLOORS | CONTAINERS | BASELINES

TIMES = {"ns/op": "time per operation", "ns/round": "time per round", "ns": "time of one operation"}
WIDTH, LEAST_HEIGHT, LABEL = 4.6, 2.8, 0.19  # inches: the axes, and the height of a label


@dataclass(frozen=True)
class Plot:
    scenario: Scenario
    lines: list[list[Series]]

    @property
    def file(self) -> str:
        return f"{self.scenario.name}.svg"

    @property
    def is_throughput(self) -> bool:
        """For threads and tasks, throughput shows the scaling better than the time per operation."""
        return self.scenario.unit == "ns/op" and self.scenario.is_parallel

    @property
    def measure(self) -> str:
        if self.is_throughput:
            return f"million operations per second, all {self.scenario.noun} together: more is better"
        return f"{TIMES.get(self.scenario.unit, self.scenario.unit)}: less is better"

    def values(self, line: list[Series], share: float = 0.5) -> list[float]:
        """The quantile of each point: millions of operations per second, seconds, or a count."""
        scale = 1e-9 if self.scenario.is_time else 1
        quantiles = [one.quantile(share) for one in line]
        return [1_000 / value if self.is_throughput else value * scale for value in quantiles]


def plots(run: Run) -> dict[str, Plot]:
    """A plot for each scenario that was measured in several lanes."""
    plots: dict[str, Plot] = {}
    for scenario in run.scenarios:
        lines = [[one for one in scenario.of(name) if one.quantile(0.25) > 0] for name in scenario.contenders]
        lines = [line for line in lines if len(line) > 1 and line[0].role != "probe"]
        if lines:
            plots[scenario.name] = Plot(scenario, lines)
    return plots


def colours(plots: dict[str, Plot]) -> dict[str, str]:
    """A colour for each contender: the same in all plots, and if possible different from the others in each plot."""
    chosen: dict[str, str] = {}
    groups = [[(line[0].contender, line[0].role) for line in plot.lines] for plot in plots.values()]
    for name, role in dict.fromkeys(one for group in groups for one in group):
        taken = [chosen.get(other) for group in groups if (name, role) in group for other, _ in group]
        chosen[name] = min(PALETTES[role], key=taken.count)
    return chosen


def spread(wanted: list[float], gap: float) -> list[float]:
    """Moves positions between 0 and 1 apart, each as little as possible and in the same order (isotonic regression)."""
    order = sorted(range(len(wanted)), key=wanted.__getitem__)
    blocks: list[list[float]] = []
    for place, index in enumerate(order):
        blocks.append([wanted[index] - place * gap])
        while len(blocks) > 1 and np.mean(blocks[-2]) > np.mean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    highest = max(0.0, 1 - (len(wanted) - 1) * gap)
    starts = [float(np.clip(np.mean(block), 0, highest)) for block in blocks for _ in block]
    places = {index: starts[place] + place * gap for place, index in enumerate(order)}
    return [places[index] for index in range(len(wanted))]


def draw(plot: Plot, colours: dict[str, str], kind: str = "svg") -> bytes:
    """The drawing as SVG, or in another format of matplotlib."""
    height = max(LEAST_HEIGHT, LABEL * len(plot.lines))
    with matplotlib.style.context(Path(__file__).parent / "plots.mplstyle"):
        figure = Figure(figsize=(WIDTH, height))
        axes = figure.add_axes((0, 0, 1, 1))
        for line in plot.lines:
            lanes, colour, role = [one.lane for one in line], colours[line[0].contender], line[0].role
            look = {"linestyle": "dashed"} if role == "floor" else {"linewidth": 2.2 if role == "container" else 1.5}
            axes.plot(lanes, plot.values(line), color=colour, **look)
            axes.vlines(lanes, plot.values(line, 0.25), plot.values(line, 0.75), color=colour, linewidth=1.2, alpha=0.5)
        note = plot.measure + (" (logarithmic)" if _scale(axes, plot) else "")
        _label(axes, plot, colours, LABEL / height)
        axes.annotate(note, (0, 1), (0, 9), "axes fraction", "offset points", fontsize=9)
        axes.set_title(sentence(plot.scenario.summary))
        output = io.BytesIO()
        # Without the date and the version, equal figures give equal files.
        nothing = dict.fromkeys(["Creator", "Date", "Format", "Type"]) if kind == "svg" else None
        figure.savefig(output, format=kind, metadata=nothing)
    return output.getvalue()


def _scale(axes: Axes, plot: Plot) -> bool:
    """Chooses the scales and ticks. Returns whether the vertical axis is logarithmic."""
    lanes = plot.scenario.lanes
    if 0 < 4 * lanes[0] <= lanes[-1] and len(lanes) <= lanes[-1] / 2:
        axes.set_xscale("log")
    axes.set_xticks(lanes, [f"{lane:,}" for lane in lanes])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel(plot.scenario.noun)
    values = [value for line in plot.lines for value in plot.values(line)]
    # A linear axis would make the small values indistinguishable.
    is_logarithmic = max(values) > 10 * min(values)
    if is_logarithmic:
        axes.set_yscale("log")
        low, high = axes.get_ylim()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 1_000 * low else (1,)))
        axes.yaxis.set_minor_formatter(NullFormatter())
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_locator(MaxNLocator(5))
    seconds = EngFormatter("s")
    is_time = plot.scenario.is_time and not plot.is_throughput
    axes.yaxis.set_major_formatter(lambda value, _: seconds(value) if is_time and value else f"{value:,.10g}")
    return is_logarithmic


def _label(axes: Axes, plot: Plot, colours: dict[str, str], gap: float) -> None:
    """Labels the ends of the lines. Labels that would overlap are moved apart, and connected to their lines."""
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [to_axes.transform((line[-1].lane, plot.values(line)[-1])) for line in plot.lines]
    for line, (x, y), height in zip(plot.lines, ends, spread([float(y) for _, y in ends], gap), strict=True):
        name = line[0].contender
        arrow = {"arrowstyle": "-", "color": colours[name], "alpha": 0.6, "linewidth": 0.8}
        arrow |= {"shrinkA": 2, "shrinkB": 4, "relpos": (0, 0.5)}
        text = axes.annotate(name, (x, y), (1.06, height), "axes fraction", arrowprops=arrow)
        text.set(color=colours[name], va="center", annotation_clip=False)


def with_dark_colours(svg: str, plot: Plot) -> str:
    """Adds the colours for dark pages, a title and a description."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in DARK.items()
        for kind in ("fill", "stroke")
    )
    title, description = escape(sentence(plot.scenario.summary)), escape(f"{plot.measure}, by {plot.scenario.noun}")
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    start = svg.index(">", svg.index("<svg ")) + 1
    return f"{svg[:start]}\n<title>{title}</title><desc>{description}</desc>{style}{svg[start:]}"


def write(plots: dict[str, Plot], folder: Path) -> None:
    """Writes the plots into a folder, and removes all others from it."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.svg"):
        stale.unlink()
    chosen = colours(plots)
    for plot in plots.values():
        (folder / plot.file).write_text(with_dark_colours(draw(plot, chosen).decode(), plot), encoding="utf-8")
