"""Measures how soon the page shows its first rows on a slow line, in Chromium.

Run by `scripts/benchmark page`, which builds what it needs.
"""

import argparse
import json
import os
import tempfile
from statistics import median

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from Harness.children import Child, exit_with_verdict
from Harness.servers import VIEWDELTA
from Harness.table import Table, progress

# A round trip in milliseconds, and bytes per second: 1.6 Mbit/s.
LINE = {"latency": 100, "downloadThroughput": 200_000, "uploadThroughput": 200_000}
# At most so many seconds, and replies that a cold visit waits for.
COLD, WARM, REPLIES = 0.8, 0.5, 10
# Notes when the page has its first row, and when a frame with it is drawn.
OBSERVER = """
new MutationObserver((_, observer) => {
  if (!document.querySelector("[data-row]")) return;
  observer.disconnect();
  const made = performance.now();
  requestAnimationFrame(() => setTimeout(() => { window.firstRow = [made, performance.now()]; }));
}).observe(document, { childList: true, subtree: true });
"""


class Browser:
    """A browser on a slow line, which counts the replies."""

    def __init__(self, base):
        options = ChromeOptions()
        options.binary_location = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        for option in ("headless=new", "no-sandbox", "disable-dev-shm-usage"):
            options.add_argument(f"--{option}")
        options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
        self._driver = Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self._base = base
        self._command("Network.enable")
        self._command("Network.emulateNetworkConditions", offline=False, **LINE)
        self._command("Page.addScriptToEvaluateOnNewDocument", source=OBSERVER)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._driver.quit()

    def visit(self, is_cold):
        """The seconds until the first rows are drawn, and the number of replies until they are made."""
        self._driver.get("about:blank")
        if is_cold:
            self._command("Network.clearBrowserCache")
        self._driver.get_log("performance")
        self._driver.get(f"{self._base}/#profile/1")
        wait = WebDriverWait(self._driver, 20)
        made, drawn = wait.until(lambda driver: driver.execute_script("return window.firstRow"))
        return drawn / 1e3, self._replies(made / 1e3)

    def _replies(self, seconds):
        log = self._driver.get_log("performance")
        messages = [json.loads(entry["message"])["message"] for entry in log]
        events = [(it["method"], it["params"]) for it in messages if "timestamp" in it["params"]]
        start = next(
            it["timestamp"] for name, it in events
            if name == "Network.requestWillBeSent" and it["type"] == "Document")
        return sum(
            name == "Network.responseReceived" and start <= it["timestamp"] <= start + seconds
            for name, it in events)

    def _command(self, name, **arguments):
        self._driver.execute_cdp_cmd(name, arguments)


def run(options):
    table = Table()
    with tempfile.TemporaryDirectory(prefix="viewdelta-benchmark-") as folder:
        command = [VIEWDELTA, "serve", "--port", "0", "--public", "Public"]
        with Child("viewdelta", command, os.path.join(folder, "viewdelta.log")) as server:
            base = f"http://127.0.0.1:{server.read_port(r'http://127.0.0.1:([0-9]+)')}"
            with Browser(base) as browser:
                progress(f"visits of the page, {options.rounds} cold and {options.rounds} warm")
                browser.visit(is_cold=True)
                visits = {
                    is_cold: [browser.visit(is_cold) for _ in range(options.rounds)]
                    for is_cold in (True, False)
                }
    for is_cold, budget in ((True, COLD), (False, WARM)):
        seconds = median(shown for shown, _ in visits[is_cold])
        table.add(
            f"first rows of a {'cold' if is_cold else 'warm'} visit", f"{seconds:.2f} s",
            budget=f"≤ {budget} s", is_met=seconds <= budget)
    replies = max(count for _, count in visits[True])
    table.add(
        "  replies before them in a cold visit", str(replies), budget=f"≤ {REPLIES}",
        is_met=replies <= REPLIES)
    table.print()
    return table.is_met


def main():
    parser = argparse.ArgumentParser(prog="scripts/benchmark page")
    parser.add_argument("--rounds", type=int, default=7, help="visits of each kind (default: 7)")
    options = parser.parse_args()
    exit_with_verdict("page", lambda: run(options))


if __name__ == "__main__":
    main()
