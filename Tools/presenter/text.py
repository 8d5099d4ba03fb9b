"""Numbers and tables as text."""

from __future__ import annotations

from collections.abc import Sequence


def measured(number: float) -> str:
    """About three significant digits; thousands are grouped."""
    # A number that would round up to another digit belongs to the next case.
    digits = 2 if abs(number) < 9.995 else 1 if abs(number) < 99.95 else 0
    return f"{number:,.{digits}f}"


def figure(number: float | None) -> str:
    """A figure next to its bound: two decimals, or none if it is large."""
    return "–" if number is None else f"{number:.2f}" if abs(number) < 100 else measured(number)


def count(number: int, noun: str) -> str:
    """A count with its noun in the singular or plural, such as `1 thread` from `threads`."""
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}"


def table(titles: Sequence[str], rows: Sequence[Sequence[str]], padded: bool = False) -> str:
    """A Markdown table. A column whose title ends with a colon contains numbers. Padding makes it readable as text."""
    lines = [[title.removesuffix(":") for title in titles]] + [
        [cell.replace("|", "\\|") for cell in row] for row in rows
    ]
    numeric = [title.endswith(":") for title in titles]
    widths = [max(len(line[i]) for line in lines) if padded else 0 for i in range(len(titles))]
    rule = ["-" * max(3, width - 1 * number) + ":" * number for width, number in zip(widths, numeric)]
    cells = [
        [cell.rjust(width) if number else cell.ljust(width) for cell, width, number in zip(line, widths, numeric)]
        for line in lines
    ]
    return "".join("| " + " | ".join(line) + " |\n" for line in [cells[0], rule, *cells[1:]])
