"""A client that openapi-python-client makes of the OpenAPI document, on the built server.

The environment names the server's program in VIEWDELTA_BINARY; `view_delta_client` is on the path.
"""

import json
import os
import subprocess
import threading
import unittest
from urllib.parse import parse_qs, urlsplit

import httpx
from ruamel.yaml import YAML
from view_delta_client import Client
from view_delta_client.api.users import create_user, delete_user, get_user, list_users
from view_delta_client.api.view_models import get_diff, get_view_model, send_command
from view_delta_client.models import (
    Diff,
    ProblemDetails,
    ProfileAppearCommand,
    ProfileHeaderRow,
    Snapshot,
    User,
    UserInput,
)


class GeneratedClientTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = subprocess.Popen(
            [os.environ["VIEWDELTA_BINARY"], "serve", "--port", "0", "--latency", "20ms"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        cls.addClassCleanup(cls.stop)
        # A server that says nothing is ended, and so are these tests.
        cls.deadline = threading.Timer(600, cls.server.kill)
        cls.deadline.start()
        words = cls.server.stdout.readline().split()
        address = next(word for word in words if word.startswith("http://")).rstrip(".")
        cls.client = Client(base_url=address, timeout=httpx.Timeout(120))

    @classmethod
    def stop(cls):
        cls.deadline.cancel()
        cls.server.terminate()
        cls.server.wait(timeout=120)
        cls.server.stdout.close()

    def test_keeps_the_action_of_a_row_whose_type_has_another_form_without_one(self):
        path = "/v1/view-models/form/2"
        sent = self.client.get_httpx_client().get(path).json()["sections"][-1]["rows"][0]
        read = get_view_model.sync("form", "2", client=self.client).sections[-1].rows[0]
        self.assertIn("action", sent)
        self.assertEqual(read.to_dict(), sent)

    def test_follows_a_screen_from_its_snapshot_by_a_command_and_polls(self):
        snapshot = get_view_model.sync("profile", "4", client=self.client)
        self.assertIsInstance(snapshot, Snapshot)
        self.assertEqual(snapshot.states.to_dict(), {"posts": "notRequested", "profile": "notRequested"})
        self.assertIsInstance(snapshot.sections[0].rows[0], ProfileHeaderRow)

        sent = send_command.sync_detailed(
            "profile", "4", client=self.client, body=ProfileAppearCommand(type_="appear")
        )
        self.assertEqual(sent.status_code, 202)
        self.assertTrue(sent.parsed.accepted)

        states, revision, inserted = snapshot.states.to_dict(), snapshot.revision, []
        while set(states.values()) != {"loaded"}:
            polled = get_diff.sync_detailed("profile", "4", client=self.client, since=revision, wait=20)
            self.assertEqual(polled.status_code, 200)
            self.assertIsInstance(polled.parsed, Diff)
            self.assertEqual(polled.parsed.from_, revision)
            if polled.parsed.states:
                states.update(polled.parsed.states.to_dict())
            if polled.parsed.rows:
                inserted += [insert.row.to_dict()["id"] for insert in polled.parsed.rows.inserts or []]
            revision = polled.parsed.revision
        self.assertIn("post/11", inserted)

        nothing = get_diff.sync_detailed("profile", "4", client=self.client, since=revision)
        self.assertEqual(nothing.status_code, 204)
        self.assertEqual(nothing.headers["View-Revision"], revision)

    def test_reads_the_titles_of_sections(self):
        catalog = get_view_model.sync("catalog", "1", client=self.client)
        self.assertEqual([section.title for section in catalog.sections], ["Featured", "Books", "Maps"])

    def test_reads_a_collection_page_by_page(self):
        everyone = list_users.sync(client=self.client, limit=1000)
        self.assertGreater(len(everyone), 4)
        pages, after = [], None
        while True:
            options = {"limit": 2} if after is None else {"limit": 2, "after": after}
            page = list_users.sync_detailed(client=self.client, **options)
            self.assertTrue(all(isinstance(user, User) for user in page.parsed))
            pages.append(page.parsed)
            link = page.headers.get("Link")
            if link is None:
                break
            self.assertEqual(len(page.parsed), 2)
            after = parse_qs(urlsplit(link[1:link.index(">")]).query)["after"][0]
        self.assertEqual([user for page in pages for user in page], everyone)

        known = list_users.sync_detailed(client=self.client, limit=2)
        again = list_users.sync_detailed(client=self.client, limit=2, if_none_match=known.headers["ETag"])
        self.assertEqual(again.status_code, 304)

    def test_writes_a_resource_and_reads_what_is_wrong_with_a_request(self):
        created = create_user.sync_detailed(
            client=self.client, body=UserInput(username="gus", email="gus@example.com")
        )
        self.assertEqual(created.status_code, 201)
        self.assertEqual(created.parsed.email, "gus@example.com")
        number = str(created.parsed.id)
        self.assertEqual(get_user.sync(number, client=self.client), created.parsed)

        deleted = delete_user.sync_detailed(number, client=self.client)
        self.assertEqual(deleted.status_code, 204)
        gone = list_users.sync(client=self.client, after=number)
        self.assertIsInstance(gone, ProblemDetails)
        self.assertEqual((gone.status, gone.code), (410, "after-gone"))

    def test_reads_the_document_as_yaml(self):
        # As many tools do, and YAML 1.1 lacks some characters of JSON.
        document = self.client.get_httpx_client().get("/openapi.json").text
        self.assertEqual(YAML(typ="safe", pure=True).load(document), json.loads(document))


if __name__ == "__main__":
    unittest.main()
