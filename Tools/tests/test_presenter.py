"""Run with `PYTHONPATH=Tools Tools/.venv/bin/python -m unittest discover Tools/tests`."""

from __future__ import annotations

import json
import subprocess
import tempfile
import unittest
from pathlib import Path
from typing import Any
from unittest import mock

from presenter import __main__ as program
from presenter import comparison, plots, text
from presenter.page import page
from presenter.run import Run, Unreadable, load

FLOOR, MUTEX, UNLOCKED = "static let (floor F)", "Mutex + dictionary", "dictionary, no lock"
ROLES = {FLOOR: "floor", MUTEX: "baseline", UNLOCKED: "baseline"}


def report(**figures: list[list[Any]]) -> dict[str, Any]:
    """A report with the scenario `warm-singleton`: for each contender, the samples with 1, 2, 4 … threads."""
    names = {"floor": FLOOR, "mutex": MUTEX, "unlocked": UNLOCKED}
    series = [
        {"contender": names.get(name, name), "role": ROLES.get(names.get(name, name), "container"), "lane": 2**lane}
        | {"median": 0, "samples": samples, "details": {}}
        for name, lanes in figures.items()
        for lane, samples in enumerate(lanes)
    ]
    scenario = {"name": "warm-singleton", "summary": "summary", "unit": "ns/op", "isTime": True, "lanes": "threads"}
    points = [{"name": name, "measured": 1, "verdict": "met", "met": True} for name in ("2 threads", "4 threads")]
    bounds = [
        {"row": "P1", "what": "sync", "bound": "≤ 1.15 × F", "measured": 1, "worstAt": "4 threads"}
        | {"verdict": "met", "met": True, "measurements": 1, "points": points},
        {"row": "P2", "what": "await", "bound": "≤ 2 × F", "measured": None, "worstAt": ""}
        | {"verdict": "FELL SHORT", "met": False, "measurements": 3, "points": points[:1]},
    ]
    environment = {"processor": "CPU", "cores": 2, "system": "OS", "compiler": "Swift", "optimized": True}
    return {
        "tool": "ActorDIBench",
        "version": 1,
        "environment": environment | {"date": "2026-01-01", "commit": "abc", "load": 0.25},
        "commandLine": ["/a/place/ActorDIBench", "--filter", "a b"],
        "repeats": 3,
        "shortestRepeatNanoseconds": 50_000_000,
        "shortestLoadNanoseconds": 0.3,
        "scenarios": [scenario | {"isParallel": True, "notes": [], "series": series}],
        "notMeasurable": {"memory": "no counter"},
        "check": {"conclusion": "1 of 2 bounds met.", "fellShort": [], "bounds": bounds},
    }


def run(data: object) -> Run:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
        return load(str(path))


class MeasuringTests(unittest.TestCase):
    def test_a_failed_build_leaves_no_earlier_report(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            earlier = Path(folder) / program.MEASURED
            earlier.parent.mkdir()
            earlier.write_text(json.dumps(report(box=[[1.0]])), encoding="utf-8")
            failed = subprocess.CompletedProcess(program.BENCHMARK, 1)
            with mock.patch.object(program, "ROOT", Path(folder)), mock.patch("subprocess.run", return_value=failed):
                with self.assertRaises(Unreadable):
                    load(program.measure())


class ReportTests(unittest.TestCase):
    def test_malformed_reports_are_refused_with_a_reason(self) -> None:
        whole = report(box=[[1.0]])
        for data, reason in [
            ("", "Input data was truncated"),
            ("no JSON", "JSON is malformed"),
            ([1], "Expected `object`, got `array`"),
            (whole | {"tool": "other"}, "Invalid enum value 'other' - at `\\$.tool`"),
            (whole | {"version": 2}, "Invalid enum value 2 - at `\\$.version`"),
            ({"tool": "ActorDIBench"}, "missing required field `version`"),
            (report(box=[["fast"]]), r"Expected `float`, got `str` - at `\$.scenarios\[0\].series\[0\].samples\[0\]`"),
            (report(box=[[]]), "no samples"),
        ]:
            with self.subTest(reason), self.assertRaisesRegex(Unreadable, "is not a report of ActorDIBench.*" + reason):
                run(data)
        with self.assertRaisesRegex(Unreadable, "cannot read '/no/such/file': No such file"):
            load("/no/such/file")


class ComparisonTests(unittest.TestCase):
    def verdicts(self, old: dict[str, Any], new: dict[str, Any]) -> dict[str, str]:
        return {row.series.contender: row.verdict for row in comparison.compare(run(old), run(new))}

    def test_verdicts(self) -> None:
        floor, old = [10, 10, 10, 10], [20, 21, 22, 23]
        for new, verdict in [
            ([20, 22, 22, 24], "within noise"),  # overlaps
            ([24, 24, 24, 24], "WORSE"),
            ([10, 11, 11, 12], "better"),
            ([30, 30], "within noise"),  # too few repeats
        ]:
            with self.subTest(new):
                verdicts = self.verdicts(report(floor=[floor], box=[old]), report(floor=[floor], box=[new]))
                self.assertEqual(verdicts, {FLOOR: "within noise", "box": verdict})
        steady = [[100.0] * 4], [[104.0] * 4]
        self.assertEqual(self.verdicts(report(box=steady[0]), report(box=steady[1])), {"box": "within noise"})

    def test_a_slower_machine_is_not_a_slower_container(self) -> None:
        old, new = report(floor=[[10, 10, 10]], box=[[20, 20, 20]]), report(floor=[[30, 30, 30]], box=[[60, 60, 60]])
        self.assertEqual(self.verdicts(old, new), {FLOOR: "the machine differs", "box": "within noise"})

    def test_the_text_has_the_conclusion_the_changes_and_what_is_missing(self) -> None:
        old, new = report(box=[[10, 10, 10]], gone=[[1], [1]]), report(box=[[20, 20, 20], [1]])
        new["environment"]["processor"] = "another"
        shown = comparison.text(run(old), run(new), ["old.json", "new.json"])
        self.assertIn("Beyond noise: 1 worse, 0 better, of 1 figure.\n", shown)
        self.assertRegex(
            shown, r"\| warm-singleton +\| +1 \| box +\| ns/op +\| 10.0 \(10.0 – 10.0\) \| .* \| \+100.0% \| WORSE"
        )
        self.assertIn("The processors differ", shown)
        self.assertRegex(shown, r"Only in old.json: warm-singleton, gone, 1, 2 threads\.")
        self.assertRegex(shown, r"Only in new.json: warm-singleton, box, 2 threads\.")


class PageTests(unittest.TestCase):
    def test_tables(self) -> None:
        rows = [["a|b", "1.0"], ["long", "10.0"]]
        self.assertEqual(
            text.table(["x", "ns:"], rows), "| x | ns |\n| --- | ---: |\n| a\\|b | 1.0 |\n| long | 10.0 |\n"
        )
        padded = "| x    |   ns |\n| ---- | ---: |\n| a\\|b |  1.0 |\n| long | 10.0 |\n"
        self.assertEqual(text.table(["x", "ns:"], rows, padded=True), padded)
        self.assertEqual([text.measured(x) for x in (9.996, 99.96, 1_234.5, 0)], ["10.0", "100", "1,234", "0.00"])

    def test_the_page_has_the_machine_the_bounds_the_figures_and_the_plots(self) -> None:
        figures = {"floor": [[10, 12, 10], [20] * 3], "container": [[11, 12, 11], [44] * 3]}
        shown = run(report(**figures, mutex=[[50] * 3] * 2, unlocked=[[5] * 3] * 2))
        drawn = plots.plots(shown)
        content = page(shown, drawn)
        for part in [
            "| Processor | CPU, 2 cores |",
            "| Load average before the run | 0.2 |",
            "`swift run -c release ActorDIBench --filter 'a b'`",
            "| an existing singleton | 11.0 | 1.10 F | 90.9 | 22.7 |",
            "![An existing singleton: million operations per second, all threads together: more is better](Benchmarks/singleton.svg)",
            "1 of 2 bounds met.",
            "| P1 | sync | ≤ 1.15 × F | 1.00 | 4 threads (of 2) | met |",
            "| P2 | await | ≤ 2 × F | – |  | FELL SHORT (measured 3 times) |",
            "| warm-singleton | container, 2 threads: F | 2.20 | container, 2 threads: dictionary, no lock | 8.80 |",
            "## On 16 cores",
            "## A server under load",
            "- `memory`: no counter.",
        ]:
            self.assertIn(part, content)
        self.assertNotIn("$", content)
        self.assertNotIn("\n\n\n", content)
        svg = plots.with_dark_colours(plots.draw(drawn[0]).decode(), drawn[0])
        for name in ("static let (F)", MUTEX, "container", "prefers-color-scheme: dark"):
            self.assertIn(name, svg)

    def test_a_contender_that_the_page_shows_must_exist(self) -> None:
        with self.assertRaisesRegex(Unreadable, "'warm-singleton' has no contender 'container'"):
            page(run(report(floor=[[10]])), [])

    def test_labels_are_moved_apart_in_order_and_within_the_plot(self) -> None:
        cases: list[tuple[list[float], list[float]]] = [
            ([0.1, 0.9], [0.1, 0.9]),
            ([0.5, 0.5], [0.4, 0.6]),
            ([1, 0, 1], [0.8, 0, 1]),
            ([0, 0.1, 0.2], [0, 0.2, 0.4]),
        ]
        for wanted, expected in cases:
            for place, value in zip(plots.spread(wanted, 0.2), expected, strict=True):
                self.assertAlmostEqual(place, value)


if __name__ == "__main__":
    unittest.main()
