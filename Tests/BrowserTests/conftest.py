"""A server for each test and a browser for all; each test gets a page, and leaves no console error."""

import os
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

from page import PATIENCE, Page
from server import Server

LOST_CONNECTIONS = (
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_CONNECTION_CLOSED",
    "net::ERR_SOCKET_NOT_CONNECTED",
    "net::ERR_CONTENT_LENGTH_MISMATCH",
    "net::ERR_INTERNET_DISCONNECTED",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
    "net::ERR_EMPTY_RESPONSE",
)


def start(program: str) -> Chrome:
    """Starts a browser."""
    options = ChromeOptions()
    options.binary_location = os.environ.get("CHROMIUM", program)
    sandboxed = ("no-sandbox", "disable-dev-shm-usage")  # A container has neither.
    rebound = "host-resolver-rules=MAP rebound.example 127.0.0.1"
    # Pages of several servers may share a process, and the browser draws by itself: a sixth less work.
    shared = (
        "disable-gpu",
        "in-process-gpu",
        "disable-site-isolation-trials",
        "disable-features=IsolateOrigins,site-per-process,ProactivelySwapBrowsingInstance",
    )
    for option in ("headless=new", "hide-scrollbars", "lang=en", rebound, *sandboxed, *shared):
        options.add_argument(f"--{option}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    driver.set_script_timeout(PATIENCE)
    return driver


@pytest.fixture(scope="session")
def pages():
    """The part of Chromium that draws pages, without windows: a quarter less work."""
    # The driver ends what it starts: of the shell script in /usr/bin not the browser.
    driver = start("/usr/lib/chromium/chromium-headless-shell")
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def browser():
    """The whole of Chromium, as users have it."""
    driver = start("/usr/bin/chromium")
    yield driver
    driver.quit()


@pytest.fixture
def driver(request):
    has_windows = request.node.get_closest_marker("windows")
    return request.getfixturevalue("browser" if has_windows else "pages")


OPTIONS = ("--faults", "--latency", "150ms")


@pytest.fixture(scope="session")
def begun():
    """The server of the next test, which starts while the one before runs."""
    servers = []
    yield servers
    for server in servers:
        server.kill()


@pytest.fixture
def server(request, tmp_path, begun):
    """A server for one test, so that its writes do not affect the next."""
    if request.node.get_closest_marker("journal"):
        server = Server(*OPTIONS, "--journal", str(tmp_path / "test.journal"))
    else:
        server = begun.pop() if begun else Server(*OPTIONS)
    server.start()
    if not begun:
        begun.append(Server(*OPTIONS).begin())
    yield server
    server.kill()


@pytest.fixture
def page(driver, server, request):
    page = Page(driver, server.base)
    page.resize(1280, 900)
    page.emulate_media()
    page.console_errors()
    yield page
    expected = LOST_CONNECTIONS if request.node.get_closest_marker("loses_connection") else ()
    errors = page.console_errors(but=expected)
    driver.get("about:blank")
    assert errors == []


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory):
    """The folder for screenshots: SCREENSHOTS, or a temporary one, which goes with those of later runs."""
    folder = Path(os.environ.get("SCREENSHOTS") or tmp_path_factory.mktemp("screenshots"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def pytest_configure(config):
    config.addinivalue_line("markers", "journal: the server keeps what changes in a journal")
    config.addinivalue_line("markers", "windows: pages go to the background and come back")
    config.addinivalue_line("markers", "loses_connection: errors of lost connections are expected")
