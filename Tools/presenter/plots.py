"""Plots for light and dark pages: a line for each contender, labelled at its end."""

from __future__ import annotations

import io
import itertools
from dataclasses import dataclass
from html import escape
from pathlib import Path

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullFormatter, NullLocator

from .run import Run, Scenario, Series

# Each colour for light pages, with its counterpart for dark ones.
TEXT = {"#1f2328": "#e6edf3", "#57606a": "#9198a1"}
FLOORS = {"#6e7781": "#8b949e"}
CONTAINERS = {"#0969da": "#58a6ff", "#1a7f37": "#3fb950"}
BASELINES = {"#bc4c00": "#f0883e", "#cf222e": "#ff7b72"}
PALETTES = {"floor": FLOORS, "container": CONTAINERS, "baseline": BASELINES}
DARK = TEXT | FLOORS | CONTAINERS | BASELINES

WIDTH, LEAST_HEIGHT, LABEL = 4.6, 2.8, 0.19  # inches: the axes, and the height of a label

FLOOR, PLAIN, MUTEX = "static let (floor F)", "plain construction (floor C)", "Mutex + dictionary"
# The plots: file, title, and the label, scenario and contender of each line.
CHOICE = [
    (
        "singleton",
        "An existing singleton",
        [
            ("static let (F)", "warm-singleton", FLOOR),
            ("container", "warm-singleton", "container"),
            ("container, borrowed", "with-resolved", "container, withResolved"),
            (MUTEX, "warm-singleton", MUTEX),
            ("dictionary, no lock", "warm-singleton", "dictionary, no lock"),
        ],
    ),
    (
        "objects",
        "A new object, and a graph of ten",
        [
            ("object, by hand (C)", "transient", PLAIN),
            ("object, container", "transient", "container"),
            (f"object, {MUTEX}", "transient", MUTEX),
            ("graph, by hand (C)", "graph", PLAIN),
            ("graph, container", "graph", "container, autowired"),
            (f"graph, {MUTEX}", "graph", MUTEX),
        ],
    ),
    (
        "request",
        "A request: its scope, a graph of objects, a disposal",
        [("by hand (C)", "request", PLAIN), ("container", "request", "container")],
    ),
    (
        "registering",
        "Registering n services in one batch, for each service",
        [("container", "registering", "container"), (MUTEX, "registering", MUTEX)],
    ),
]


@dataclass(frozen=True)
class Line:
    label: str
    series: list[Series]

    @property
    def role(self) -> str:
        return self.series[0].role


@dataclass(frozen=True)
class Plot:
    name: str
    title: str
    scenario: Scenario
    lines: list[Line]

    @property
    def file(self) -> str:
        return f"{self.name}.svg"

    @property
    def lanes(self) -> list[int]:
        return sorted({one.lane for line in self.lines for one in line.series})

    @property
    def measure(self) -> str:
        """For threads and tasks, throughput shows the scaling better than the time per operation."""
        if self.scenario.is_parallel:
            return f"million operations per second, all {self.scenario.noun} together: more is better"
        return "time per operation: less is better"

    def values(self, line: Line, share: float = 0.5) -> list[float]:
        """The quantile of each point: millions of operations per second, or seconds."""
        quantiles = [one.quantile(share) for one in line.series]
        return [1_000 / value if self.scenario.is_parallel else value * 1e-9 for value in quantiles]

    def colours(self) -> list[str]:
        """A colour for each line, by its role."""
        palettes = {role: itertools.cycle(colours) for role, colours in PALETTES.items()}
        return [next(palettes[line.role]) for line in self.lines]


def plots(run: Run) -> list[Plot]:
    """The plots whose scenarios were measured in several lanes."""
    plots: list[Plot] = []
    for name, title, choice in CHOICE:
        found = [(label, run.find(scenario, contender)) for label, scenario, contender in choice]
        lines = [Line(label, one[1]) for label, one in found if one and len(one[1]) > 1]
        scenarios = [one[0] for _, one in found if one]
        if lines:
            plots.append(Plot(name, title, scenarios[0], lines))
    return plots


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


def draw(plot: Plot) -> bytes:
    """The drawing as SVG."""
    height = max(LEAST_HEIGHT, LABEL * len(plot.lines))
    colours = plot.colours()
    with matplotlib.style.context(Path(__file__).parent / "plots.mplstyle"):
        figure = Figure(figsize=(WIDTH, height))
        axes = figure.add_axes((0, 0, 1, 1))
        for line, colour in zip(plot.lines, colours, strict=True):
            lanes = [one.lane for one in line.series]
            look = (
                {"linestyle": "dashed"}
                if line.role == "floor"
                else {"linewidth": 2.2 if line.role == "container" else 1.5}
            )
            axes.plot(lanes, plot.values(line), color=colour, **look)
            axes.vlines(lanes, plot.values(line, 0.25), plot.values(line, 0.75), color=colour, linewidth=1.2, alpha=0.5)
        note = plot.measure + (" (logarithmic)" if _scale(axes, plot) else "")
        _label(axes, plot, colours, LABEL / height)
        axes.annotate(note, (0, 1), (0, 9), "axes fraction", "offset points", fontsize=9)
        axes.set_title(plot.title)
        output = io.BytesIO()
        # Without the date and the version, equal figures give equal files.
        figure.savefig(output, format="svg", metadata=dict.fromkeys(["Creator", "Date", "Format", "Type"]))
    return output.getvalue()


def _scale(axes: Axes, plot: Plot) -> bool:
    """Chooses the scales and ticks. Returns whether the vertical axis is logarithmic."""
    lanes = plot.lanes
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
    is_time = not plot.scenario.is_parallel
    axes.yaxis.set_major_formatter(lambda value, _: seconds(value) if is_time and value else f"{value:,.10g}")
    return is_logarithmic


def _label(axes: Axes, plot: Plot, colours: list[str], gap: float) -> None:
    """Labels the ends of the lines. Labels that would overlap are moved apart, and connected to their lines."""
    to_axes = axes.transData + axes.transAxes.inverted()
    ends = [to_axes.transform((line.series[-1].lane, plot.values(line)[-1])) for line in plot.lines]
    heights = spread([float(y) for _, y in ends], gap)
    for line, colour, (x, y), height in zip(plot.lines, colours, ends, heights, strict=True):
        arrow = {"arrowstyle": "-", "color": colour, "alpha": 0.6, "linewidth": 0.8}
        arrow |= {"shrinkA": 2, "shrinkB": 4, "relpos": (0, 0.5)}
        text = axes.annotate(line.label, (x, y), (1.06, height), "axes fraction", arrowprops=arrow)
        text.set(color=colour, va="center", annotation_clip=False)


def with_dark_colours(svg: str, plot: Plot) -> str:
    """Adds the colours for dark pages, a title and a description."""
    rules = "".join(
        f'[style*="{kind}: {light}"]{{{kind}:{dark}!important}}'
        for light, dark in DARK.items()
        for kind in ("fill", "stroke")
    )
    title, description = escape(plot.title), escape(f"{plot.measure}, by {plot.scenario.noun}")
    style = f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style>"
    start = svg.index(">", svg.index("<svg ")) + 1
    return f"{svg[:start]}\n<title>{title}</title><desc>{description}</desc>{style}{svg[start:]}"


def write(plots: list[Plot], folder: Path) -> None:
    """Writes the plots into a folder, and removes all others from it."""
    folder.mkdir(parents=True, exist_ok=True)
    for stale in folder.glob("*.svg"):
        stale.unlink()
    for plot in plots:
        (folder / plot.file).write_text(with_dark_colours(draw(plot).decode(), plot), encoding="utf-8")
