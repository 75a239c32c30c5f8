"""Fields that are filled in, corrected and reverted."""

import re

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture
def form(page):
    page.open("form/1")
    page.until_live()
    return page


def test_a_field_refers_to_its_error_until_it_is_corrected(form):
    email = field(form, "email")
    email.send_keys("nonsense", Keys.TAB)
    form.until(lambda: email.get_attribute("aria-invalid") == "true", "a mark of the error")
    error = form.driver.find_element(By.ID, email.get_attribute("aria-describedby"))
    form.until(lambda: error.text != "", "the text of the error")
    email.clear()
    email.send_keys("ada@example.org", Keys.TAB)
    form.until(lambda: email.get_attribute("aria-invalid") is None, "the end of the mark")
    assert email.get_attribute("aria-describedby") is None


def test_two_people_fill_in_two_forms_and_can_share_one(form, server):
    own = form.driver.execute_script("return decodeURIComponent(location.hash)")[1:]
    assert re.fullmatch(r"form/1@[\w-]{22}", own)
    name = field(form, "name")
    name.send_keys("Ada", Keys.TAB)
    form.until(lambda: entered(server, own) == "Ada", "the server to know")
    assert entered(server, "form/1") == ""
    other = "form/1@" + 22 * "b"
    assert entered(server, other) == ""
    form.open(other)
    form.until_live()
    form.until(lambda: field(form, "name").get_property("value") == "", "the other form")
    field(form, "name").send_keys("Bea", Keys.TAB)
    form.until(lambda: entered(server, other) == "Bea", "the server to know")
    assert entered(server, own) == "Ada"


def entered(server, name):
    sections = server.request("GET", f"/v1/view-models/{name}")["sections"]
    rows = {row["id"]: row for section in sections for row in section["rows"]}
    return rows["name"]["value"]


def test_escape_gives_back_what_the_server_knows(form, server):
    own = form.driver.execute_script("return decodeURIComponent(location.hash)")[1:]
    name = field(form, "name")
    name.send_keys("Ada", Keys.TAB)
    form.until(lambda: entered(server, own) == "Ada", "the server to know")
    name.send_keys(" and someone else", Keys.ESCAPE)
    assert name.get_property("value") == "Ada"


def field(page, row):
    return page.driver.find_element(By.CSS_SELECTOR, f"[data-row='{row}'] input")
