"""The command line: measures, presents and compares."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from . import comparison, plots
from .page import page
from .run import Run, Unreadable, load

ROOT = Path(__file__).parents[2]
MEASURED = Path(".build/benchmarks.json")
# Up to 16 threads, because the plots show what happens to locks with more threads than cores.
OPTIONS = ["--check", "--all", "--threads", "1,2,4,8,16", "--format", "json", "--output", str(MEASURED)]
BENCHMARK = ["swift", "run", "-c", "release", "ActorDIBench", *OPTIONS]


def measure() -> str:
    """Runs the benchmark, which exits with 1 if a bound is not met. Returns the path of its report."""
    report = ROOT / MEASURED
    report.parent.mkdir(exist_ok=True)
    # A failed build ends with 1, too, and must not leave an earlier report to present.
    report.unlink(missing_ok=True)
    status = subprocess.run(BENCHMARK, check=False, cwd=ROOT).returncode
    if status not in (0, 1):
        raise Unreadable(f"the benchmark ended with status {status}")
    return str(report)


def present(run: Run, folder: Path) -> None:
    """Writes the page and its plots into a folder."""
    drawn = plots.plots(run)
    plots.write(drawn, folder / "Benchmarks")
    (folder / "Benchmarks.md").write_text(page(run, drawn), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="Tools/benchmarks",
        description="Measures for about nine minutes, and writes Benchmarks.md with its plots.",
    )
    parser.add_argument(
        "--from", dest="run", metavar="RUN", help="present a JSON report of ActorDIBench instead of measuring"
    )
    parser.add_argument("--into", metavar="FOLDER", type=Path, default=ROOT, help="write into another folder")
    parser.add_argument(
        "--compare", nargs=2, metavar=("OLD", "NEW"), help="print the differences between two JSON reports"
    )
    options = parser.parse_args()
    try:
        if options.compare:
            old, new = map(load, options.compare)
            print(comparison.text(old, new, options.compare), end="")
        else:
            present(load(options.run or measure()), options.into)
    except (Unreadable, OSError) as error:
        sys.exit(f"Tools/benchmarks: {error}")


if __name__ == "__main__":
    main()
