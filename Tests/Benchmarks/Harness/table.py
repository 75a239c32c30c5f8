"""The table that a benchmark prints: one line for each figure with its budget."""

import sys
from statistics import median

HEADER = ["workload", "ours", "reference", "ratio", "budget", "met"]


class Table:
    def __init__(self):
        self._lines = [HEADER]
        # Whether all budgets so far are met.
        self.is_met = True

    def add_ratio(
        self, workload, ours, reference, against, show, at_least=None, at_most=None
    ):
        """Adds a figure that was measured in rounds, in turn with the same of a reference.

        The ratio is the median of the rounds' ratios. Without a limit it is only shown.
        """
        ratio = median(a / b for a, b in zip(ours, reference))
        if at_least is not None:
            budget, is_met = f"≥ {at_least}", ratio >= at_least
        elif at_most is not None:
            budget, is_met = f"≤ {at_most}", ratio <= at_most
        else:
            budget, is_met = "–", None
        self._add(
            workload, show(median(ours)), f"{show(median(reference))} {against}", f"{ratio:.3f}",
            budget, is_met)

    def add(self, workload, ours, reference="–", ratio="–", budget="–", is_met=None):
        """Adds a figure that stands for itself."""
        self._add(workload, ours, reference, ratio, budget, is_met)

    def skip(self, workload, why):
        self._add(workload, "–", f"skipped: {why}", "–", "–", None)

    def _add(self, workload, ours, reference, ratio, budget, is_met):
        if is_met is False:
            self.is_met = False
        verdict = {None: "–", True: "yes", False: "NO"}[is_met]
        self._lines.append([workload, ours, reference, ratio, budget, verdict])

    def print(self):
        widths = [max(len(line[column]) for line in self._lines) for column in range(len(HEADER))]
        for line in self._lines:
            print("  ".join(text.ljust(width) for text, width in zip(line, widths)).rstrip())


def progress(text):
    """Says what is being measured, so that nobody waits in the dark."""
    print(f"benchmark: {text}", file=sys.stderr)


def rate(value):
    return f"{value:,.0f}/s"


def milliseconds(value):
    return f"{value / 1e3:.1f} ms"


def microseconds(value):
    return f"{value:.1f} µs"


def kibibytes(value):
    return f"{value / 1024:.2f} KiB"
