"""A view model as a client sees it: every revision and every diff against what the model says."""

import canonical
from again import ask_again
from changes import Broken, applied, demand
from revisions import check_history, check_incidents
from kept import Kept, copied
from patches import check_ends, patched
from process import Answer
from redraws import check_redraws
from run import Run, segment
from shapes import Refused
from windows import drawn_pair


class View:
    """One screen with one key.

    `content` gives what the model shows now, or None where it has nothing to show; `was_deleted`
    says whether it had once. `hidden` gives what makes a new revision without changing the content.
    """

    MOST_KEPT = 10

    def __init__(self, run: Run, screen: str, key: str, content, was_deleted, hidden=lambda: None):
        self.run, self.name = run, f"{screen}/{key}"
        self.path = f"/v1/view-models/{screen}/{segment(key)}"
        self.content, self._was_deleted, self.hidden = content, was_deleted, hidden
        self.kept: list[Kept] = []
        self.strange: list[str] = []
        self.written = 0
        # The commands that were taken, those that made a revision by its name, and what else came
        # about: how loads ended, and the failures among them.
        self.sent: set[str] = set()
        self.causes: dict[str, dict] = {}
        self.ended: set[tuple] = set()
        self.failures: list[tuple] = []
        run.views.append(self)

    @property
    def current(self) -> Kept | None:
        return self.kept[-1] if self.kept else None

    def check(self):
        """Compares the view model with the model, and what led there."""
        content = self.content()
        if content is None:
            return self._check_absence()
        before = self.current
        answer = self.run.get(self.path)
        token = answer.json["revision"]
        self.run.expect_json(answer, canonical.snapshot(self.name, token, content))
        kept = Kept(token, content, self.hidden())
        if before and before.is_equal(kept):
            same = token == before.token or kept.is_newer_name(before)
            self.run.expect(same, f"the revision {before.token} or a newer name", answer)
        elif before:
            known = token in [one.token for one in self.kept]
            self.run.expect(not known, "a new revision", answer)
        self.remember(kept)
        self.run.totals["snapshots"] += 1
        if self.run.chance(0.1):
            ask_again(self.run, self.path, answer)
        if before and before.token != token:
            self.check_diff(before, kept)
        self._check_more()

    def remember(self, kept: Kept):
        """Keeps a revision, and lets one go that is neither the first nor the last."""
        if self.kept and self.kept[-1].token == kept.token:
            kept.revision = self.kept[-1].revision
            self.kept[-1] = kept
            return
        if self.kept and kept.is_newer_name(self.kept[-1]):
            kept.revision = self.kept[-1].revision
        self.run.expect(kept.token not in self.strange, "another epoch", kept.token)
        self.written += len(kept.image)
        self.kept.append(kept)
        if len(self.kept) > self.MOST_KEPT:
            del self.kept[self.run.number(1, len(self.kept) - 3)]

    def end(self):
        """What the key names was deleted: its revisions are strange to the next of its id."""
        if self.kept:
            self.strange = [self.kept[0].token, self.current.token]
            self.kept = []
        self.causes, self.failures = {}, []

    def note_end(self, source: str, code: str | tuple | None):
        """A load has ended well, or with the code of a failure."""
        code = code[0] if isinstance(code, tuple) else code
        self.ended.add((source, code))
        if code is not None:
            self.failures.append((source, code))

    def absence(self) -> Refused:
        """How requests are refused while there is nothing to show."""
        return Refused(410, "key-deleted") if self._was_deleted() else Refused(404, "unknown-key")

    def _check_absence(self):
        code = self.absence()
        for path in [self.path, f"{self.path}/revisions"]:
            self.run.expect_refused(self.run.call("GET", path), code)
        if self.strange:
            path = f"{self.path}/diff?since={self.run.pick(self.strange)}&wait=50"
            self.run.expect_refused(self.run.call("GET", path), code)
        body = {"type": "appear"}
        self.run.expect_refused(self.run.call("POST", f"{self.path}/commands", body), code)

    # Diffs

    def check_diff(self, start: Kept, end: Kept, until: bool = False):
        query = start.query(end.window) + (f"&until={end.token}" if until else "")
        sent: dict = {}
        if self.run.chance(0.15):
            # Both are without effect where they do not apply.
            sent["Prefer"] = self.run.pick(["return=diff", "x, Return = \"diff\";y, return=none", "wait=0"])
        path = f"{self.path}/diff?{query}"
        answer = self.run.call("GET", path, headers=sent)
        self.take(answer, start, end, until, prefers_diff="diff" in sent.get("Prefer", ""))
        if answer.status == 200 and self.run.chance(0.05):
            ask_again(self.run, path, answer, sent)
        form = {"Accept": "application/json-patch+json"}
        if len(end.image) < 20_000 and self.run.chance(0.3):
            answer = self.run.call("GET", f"{self.path}/diff?{query}", headers=form)
            self._take_patch(answer, start, end)

    def take(self, answer: Answer, start: Kept, end: Kept, must_be_diff=False, prefers_diff=False):
        """Checks an answer that leads from one revision to another."""
        is_one = start.is_shown_as(end)
        if not must_be_diff and (is_one or answer.status == 204 and start.image == end.image):
            self.run.expect(answer.status == 204, "204, since nothing was to be seen", answer)
            self.run.expect(answer.headers["View-Revision"] == end.token, end.token, answer)
            return
        self.run.expect(answer.status == 200, "200 and a change", answer)
        self.take_document(answer.json, start, end, must_be_diff or prefers_diff, answer)

    def take_document(self, document: dict, start: Kept, end: Kept, must_be_diff: bool, answer):
        kind = document["kind"]
        if kind == "reset" and document["reason"] == "history-expired" and self.may_expire():
            self.kept = [one for one in self.kept if one.token != start.token]
            kind = "snapshot"
            document = {name: value for name, value in document.items() if name != "reason"}
            document["kind"] = kind
        elif kind == "snapshot":
            self.run.expect(not must_be_diff, "a diff", answer)
            self._check_size(start, end, len(canonical.encoded(document)))
        if kind == "snapshot":
            wanted = canonical.snapshot(self.name, end.token, end.content)
            self.run.expect(
                canonical.encoded(document) == canonical.encoded(wanted), wanted, answer
            )
            return
        self.run.expect(kind == "diff", "a diff", answer)
        try:
            demand(document["screen"] == self.name, "another screen:", document["screen"])
            demand(document["from"] == start.token, "another from:", document["from"])
            demand(document["revision"] == end.token, "another revision:", document["revision"])
            demand(document["digest"] == canonical.digest(end.content), "another digest")
            result = applied(start.content, document)
            demand(canonical.encoded(result) == end.image, "it leads to another content:", result)
            check_redraws(start, end, document)
        except (Broken, KeyError, IndexError, TypeError) as error:
            story = f"a diff from {start.image.decode()} to {end.image.decode()}"
            self.run.expect(False, story, f"{answer}\nbecause {error!r}")
        self.run.totals["diffs"] += 1

    def _check_size(self, start: Kept, end: Kept, size: int):
        """A snapshot comes in place of a diff only if that is large, and larger than it."""
        path = f"{self.path}/diff?{start.query(end.window)}&until={end.token}"
        answer = self.run.call("GET", path)
        self.take(answer, start, end, must_be_diff=True)
        large = len(answer.body) > max(4096, size)
        self.run.expect(large, f"a diff, since the snapshot has {size} bytes", answer)

    def _take_patch(self, answer: Answer, start: Kept, end: Kept):
        if answer.status == 204 and start.image == end.image:
            return
        self.run.expect(answer.status == 200, "200 and a JSON Patch", answer)
        try:
            check_ends(answer.json, start.token, end.token)
            document = patched(
                canonical.snapshot(self.name, start.token, copied(start)), answer.json
            )
        except (Broken, KeyError, IndexError, TypeError) as error:
            self.run.expect(False, f"a patch of {start.image.decode()}", f"{answer}: {error!r}")
        wanted = canonical.snapshot(self.name, end.token, end.content)
        same = canonical.encoded(document) == canonical.encoded(wanted)
        self.run.expect(same, f"a patch from {start.image.decode()} to {wanted}", answer)
        self.run.totals["patches"] += 1

    def may_expire(self) -> bool:
        """Whether so much was written that the server may have let old revisions go."""
        return self.written > 4 * 1024 * 1024

    # Everything else that can be asked of a view model

    def _check_more(self):
        run, current = self.run, self.current
        old = run.pick(self.kept)
        what = run.number(0, 11)
        if what < 3:
            self.check_diff(old, current)
        elif what < 5:
            self.check_diff(old, run.pick(self.kept), until=True)
        elif what == 5:
            answer = run.call("GET", f"{self.path}?at={old.token}")
            if answer.status != 410 or not self.may_expire():
                run.expect_json(answer, canonical.snapshot(self.name, old.token, old.content))
        elif what == 6:
            run.get(self.path, 304, {"If-None-Match": f'"x", "{current.token}"'})
        elif what == 7:
            run.pick([check_history, check_history, check_incidents])(run, self)
        elif what == 8 and run.chance(0.5):
            self._check_row()
        elif what == 8 and self.strange:
            self._check_reset(run.pick(self.strange))
        elif what == 9:
            self._check_events(old, current)
        elif what > 9:
            self._check_windows(run.pick(self.kept))

    def _check_row(self):
        """One row by its id or by its path, or one that is not there."""
        run, current = self.run, self.current
        places = [
            {"path": [place, index], "row": row, "section": section["id"]}
            for place, section in enumerate(current.content["sections"])
            for index, row in enumerate(section["rows"])
        ]
        wanted = run.pick(places) if places and run.chance(0.8) else None
        if run.chance(0.4):
            place, index = wanted["path"] if wanted else (len(current.content["sections"]), 0)
            query = f"path={place},{index}"
        else:
            id = wanted["row"]["id"] if wanted else run.texts.other_id(places[0]["row"]["id"] if places else "")
            wanted = next((one for one in places if one["row"]["id"] == id), None)
            query = f"id={segment(id or 'no such')}"
        answer = run.call("GET", f"{self.path}/rows?{query}")
        if wanted is None:
            run.expect_refused(answer, Refused(404, "unknown-row"))
        else:
            run.expect_json(answer, {"screen": self.name, **wanted})

    def _check_reset(self, token: str):
        """A revision of what was deleted and made anew."""
        current = self.current
        document = canonical.snapshot(self.name, current.token, current.content)
        document |= {"kind": "reset", "reason": "epoch-changed"}
        path = f"{self.path}/diff?since={token}"
        self.run.expect_json(self.run.get(path), document)
        strict = self.run.call("GET", path, headers={"Prefer": "handling=strict"})
        self.run.expect_refused(strict, Refused(410, "revision-expired"))
        if "have" not in self.run.without:
            old = self.run.pick(self.kept)
            answer = self.run.call("GET", f"{path}&have={canonical.have(old.content)}")
            # Only a diff repeats the name that the client has for the old revision.
            is_snapshot = answer.status == 200 and answer.json["kind"] == "snapshot"
            self.take(answer, old if is_snapshot else Kept(token, old.content, old.hidden), current)

    def _check_events(self, old: Kept, current: Kept):
        """The first event of a stream, which leads from an old revision to the current one."""
        if old.image == current.image:
            return
        query, sent = old.query(current.window), {}
        if old.window == current.window and self.run.chance(0.3):
            # A browser that connects again: the last event counts, not what the address names.
            query = query.replace(old.token, self.kept[0].token)
            sent = {"Last-Event-ID": old.token}
        answer = self.run.client.first_event(f"{self.path}/events?{query}", sent)
        self.run.expect(answer.headers["id"] == current.token, current.token, answer)
        self.take(answer, old, current)

    def _check_windows(self, old: Kept):
        """What a client gets that has an old revision through a window, and scrolls to another."""
        run, current = self.run, self.current
        window, next = drawn_pair(run, current.content)
        start, end = old.through(window), current.through(next)
        path = f"{self.path}?window={next}"
        if run.chance(0.3):
            answer = run.call("GET", f"{path}&at={old.token}")
            wanted = old.through(next)
        else:
            answer, wanted = run.call("GET", path), end
        if answer.status != 410 or not self.may_expire():
            document = canonical.snapshot(self.name, wanted.token, wanted.content)
            run.expect_json(answer, document)
        if run.chance(0.2):
            self._check_events(start, end)
        else:
            self.check_diff(start, end, until=run.chance(0.2))
        run.totals["windows"] += 1
