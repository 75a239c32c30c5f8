"""The page in a browser, as a user sees it."""

from contextlib import contextmanager

from selenium.common.exceptions import (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
    StaleElementReferenceException, TimeoutException)
from selenium.webdriver import ActionChains, Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

# Longer than the page rests between two attempts; only a failure takes so long.
PATIENCE = 60
# What the next change of the page may cure: an element that is not there yet, that was replaced, or that is covered.
MOMENTARY = (
    ElementClickInterceptedException, ElementNotInteractableException, NoSuchElementException,
    StaleElementReferenceException)


class Page:
    """A browser that shows the page of a server."""

    def __init__(self, driver: Chrome, base: str):
        self.driver = driver
        self.base = base

    def open(self, view_model: str):
        """Loads the page with a view model, after the answers to what a page before it has sent."""
        if self.look("location.href") != "about:blank":
            self.until_answered()
            self.driver.get("about:blank")
        self.driver.get(f"{self.base}/#{view_model}")
        self.until(lambda: self.rows, f"rows of {view_model}")

    def until(self, condition, what: str):
        """
        Polls a condition up to a deadline and returns its first true value. If the condition needs an element that is
        not there or cannot be used now, it is tried again.
        """
        hindrance = None

        def met(_):
            nonlocal hindrance
            try:
                return condition()
            except MOMENTARY as error:
                hindrance = error.msg

        try:
            return WebDriverWait(self.driver, PATIENCE, poll_frequency=0.02).until(met)
        except TimeoutException:
            seen = f"{self.rows}, {self.connection}, {self.announcement!r}"
            raise AssertionError(f"in vain: {what}; on the page: {seen}; at last: {hindrance}") from None

    def open_loaded(self, user: int):
        """Opens a user's profile and waits until it is loaded and live."""
        self.open(f"profile/{user}")
        self.until(lambda: "profile/website" in self.rows, "the profile")
        self.until(lambda: any(row.startswith("post/") for row in self.rows), "posts")
        self.until_live()
        self.until_complete()

    def until_live(self):
        """Waits for a connection that has answered: until then the page tells of the trouble before it."""
        self.until(lambda: self.connection == "listening" and self.status != "Connecting", "a live connection")

    def reconnect(self):
        """Waits for a live connection, without the pauses between attempts."""

        def is_live():
            if "Next attempt in" in self.banner:
                self.look("document.querySelector('#banner button')?.click()")
            return self.connection == "listening" and self.status != "Connecting"

        self.until(is_live, "a live connection")

    def until_complete(self):
        """Waits for what comes behind the rows and moves other things: the keys and the inspector."""
        self.find("#switcher .keys [aria-current]")
        self.until_inspected()

    def until_inspected(self):
        """Waits for the inspector. If it is open, panels stay hidden until the one above them has its tables."""
        self.find("#panels .states")
        hidden = "document.querySelector('#inspector[open] .panel[aria-busy]')"
        self.until(lambda: self.look(f"{hidden} === null"), "all panels of the inspector")

    def until_history(self, server, view_model: str):
        """Waits until the timeline has the newest revision, and has chosen it."""
        chosen = "document.querySelector('.entry[aria-pressed=true]')?.parentElement.dataset.revision"

        def newest():
            return server.request("GET", f"/v1/view-models/{view_model}/revisions")["revisions"][-1]["revision"]

        self.until(lambda: self.look(chosen) == newest(), "the newest revision in the timeline")

    def until_answered(self):
        """
        Waits until no action waits for its answer: until then the browser asks before the page is left, or logs that
        it would.
        """
        self.until(lambda: self.is_answered, "the answers to all actions")

    @property
    def is_answered(self) -> bool:
        return self.look("dispatchEvent(new Event('beforeunload', {cancelable: true}))")

    def until_told(self, server):
        """Waits for the announcement of what the profile's load brought last, so that the next change is told alone."""
        history = server.request("GET", "/v1/view-models/profile/1/revisions")["revisions"]
        last = f'{history[-1]["cause"]["source"].capitalize()} loaded.'
        self.until(lambda: last in self.announcement, "what the load has brought")

    def until_still(self):
        """Waits until all finite animations have ended."""
        self.until(lambda: self.is_still, "stillness")

    def make_still(self):
        """Ends all finite animations, for a test that looks at what comes after them."""
        self.until(lambda: self.end_motions() or self.is_still, "stillness")

    @property
    def is_still(self) -> bool:
        running = (
            "document.getAnimations().filter((it) => it.playState === 'running'"
            " && it.effect.getTiming().iterations !== Infinity).length"
        )
        return self.look(running) == 0

    def end_motions(self):
        """Moves all rows to their places: a click misses a button that moves away."""
        self.run(
            "for (const it of document.getAnimations())"
            " if (it.effect.getTiming().iterations !== Infinity) it.finish()"
        )

    def leave(self) -> list:
        """Leaves the page and returns its errors. After that none can come from it."""
        self.driver.get("about:blank")
        return self.console_errors()

    def run(self, script: str, *arguments):
        """Returns the result of a script, in which `rowOf(id)` is the element of a row."""
        finder = "const rowOf = (id) => document.querySelector(`[data-row='${id}']`);"
        return self.driver.execute_script(finder + script, *arguments)

    def look(self, expression: str):
        """The value of an expression, as JSON. What tests poll takes half the work of a script this way."""
        answer = self.browser_command("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    @property
    def rows(self) -> list:
        """The ids of the rows, from top to bottom."""
        rows = "[...document.querySelectorAll('[data-row]')]"
        return self.look(f"{rows}.map((row) => row.dataset.row)")

    @property
    def connection(self) -> str:
        """The state of the connection, as the page shows it."""
        return self.look("document.getElementById('status').dataset.state")

    @property
    def status(self) -> str:
        """The visible text of the status beside the title."""
        return self.look("document.getElementById('status').innerText")

    @property
    def inspector(self) -> str:
        """The text of the inspector, even if it is closed."""
        return self.look("document.getElementById('panels').textContent")

    @property
    def announcement(self) -> str:
        """The text that is announced to screen readers."""
        return self.look("document.getElementById('announcer').textContent")

    @property
    def banner(self) -> str:
        """The visible text of the banner above the rows; empty if there is none."""
        return self.look("document.getElementById('banner').innerText")

    def has_link(self, title: str) -> bool:
        """Whether the navigation has a link with a title."""
        links = "[...document.querySelectorAll('#switcher a')]"
        return self.run(f"return {links}.some((it) => it.textContent === arguments[0])", title)

    def text(self, row: str) -> str:
        """The text of a row; empty if there is no such row."""
        return self.run("return rowOf(arguments[0])?.innerText ?? ''", row)

    @property
    def focus(self) -> str:
        """The id of the row with the focus; else the id or name of the focused element."""
        return self.run(
            "const it = document.activeElement;"
            "return it.closest('[data-row]')?.dataset.row ?? (it.id || it.tagName)"
        )

    def find(self, selector: str):
        """Waits for an element, and returns the first one that a CSS selector finds."""
        return self.until(lambda: self.driver.find_element(By.CSS_SELECTOR, selector), selector)

    def find_all(self, selector: str) -> list:
        """The elements that a CSS selector finds now."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str):
        """Clicks the first element that a CSS selector finds, as soon as it can be clicked and does not move away."""

        def click(element):
            self.end_motions()
            element.click()

        self.use(selector, click)

    def use(self, selector: str, act):
        """Does something with the first element that a CSS selector finds, as soon as that is possible."""

        def is_done():
            act(self.driver.find_element(By.CSS_SELECTOR, selector))
            return True

        self.until(is_done, selector)

    def type(self, selector: str, *keys: str):
        """Types into the first element that a CSS selector finds, as soon as it takes keys."""
        self.use(selector, lambda element: element.send_keys(*keys))

    def choose(self, selector: str, title: str):
        """Chooses the option of a select element that has a title."""
        self.use(selector, lambda element: Select(element).select_by_visible_text(title))

    def press(self, *keys: str):
        ActionChains(self.driver).send_keys(*keys).perform()

    def act(self, row: str):
        """Presses the button of a row."""
        self.click(f"[data-row='{row}'] .row-action")

    def remember_rows(self):
        """Remembers the elements of all rows, to distinguish them from new ones later."""
        self.run(
            "window.remembered = new Map([...document.querySelectorAll('[data-row]')]"
            ".map((element) => [element.dataset.row, element]))"
        )

    def same_elements(self) -> set:
        """The ids of the rows whose elements were remembered."""
        script = "return [...remembered].filter(([id, it]) => rowOf(id) === it).map(([id]) => id)"
        return set(self.run(script))

    def record_animations(self):
        """Starts recording the animations of rows with their durations."""
        self.run(
            """
            window.animated = [];
            const { animate } = Element.prototype;
            Element.prototype.animate = function (frames, options) {
              const animation = animate.call(this, frames, options);
              const row = this.closest('[data-row]')?.dataset.row;
              const moves = [frames].flat().some((frame) => 'transform' in frame);
              const isRunning = this.getAnimations({ subtree: true }).includes(animation);
              animated.push({ row, moves: moves && isRunning });
              return animation;
            };
            """
        )

    @property
    def travelled(self) -> set:
        """The ids of the rows that have moved since recording began."""
        return {it["row"] for it in self.run("return animated") if it["moves"] and it.get("row")}

    def browser_command(self, name: str, **arguments):
        """Sends a command of the Chrome DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, arguments)

    def emulate_media(self, **features: str):
        """Sets the user preferences that style sheets and scripts read."""
        wishes = [(name.replace("_", "-"), value) for name, value in features.items()]
        listed = [{"name": name, "value": value} for name, value in wishes]
        self.browser_command("Emulation.setEmulatedMedia", features=listed)

    def resize(self, width: int, height: int):
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1}
        self.browser_command("Emulation.setDeviceMetricsOverride", **metrics, mobile=width < 600)

    @contextmanager
    def at_each_load(self, script: str):
        """Runs a script before those of the page within the context."""
        added = self.browser_command("Page.addScriptToEvaluateOnNewDocument", source=script)
        try:
            yield
        finally:
            self.browser_command("Page.removeScriptToEvaluateOnNewDocument", **added)

    @contextmanager
    def offline(self):
        """Takes the browser offline within the context."""
        conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        self.browser_command("Network.enable")
        self.browser_command("Network.emulateNetworkConditions", offline=True, **conditions)
        try:
            yield
        finally:
            self.browser_command("Network.emulateNetworkConditions", offline=False, **conditions)

    @contextmanager
    def frozen(self):
        """Freezes the page in the background within the context."""
        self.browser_command("Page.setWebLifecycleState", state="frozen")
        yield
        self.browser_command("Page.setWebLifecycleState", state="active")
        page = self.driver.current_window_handle
        # Only this makes the browser consider the page visible again.
        self.driver.switch_to.new_window("tab")
        self.driver.close()
        self.driver.switch_to.window(page)

    def console_errors(self, but: tuple = ()) -> list:
        """Returns the console's errors since the last call, except those with a given text."""
        entries = self.driver.get_log("browser")
        messages = [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
        return [it for it in messages if not any(part in it for part in but)]
