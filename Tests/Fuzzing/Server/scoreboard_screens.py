"""The screens `scoreboards` and `scoreboard`: one store that two kinds of screens show."""

from commands import Outcome, send
from run import Run, segment
from scoreboard_content import board_content, list_content
from scoreboard_edits import ARGUMENTS, BOARD_COMMANDS, LIST_COMMANDS, MOST
from scoreboard_edits import edited_board, edited_boards, read_board, read_player
from stores import Ledger, Store, spoilt
from views import View


class Scoreboards:
    """Edits boards from both screens and over REST."""

    name = "scoreboards"

    def __init__(self, run: Run):
        self.run = run
        self.store = Store(run, "/v1/scoreboards", "unknown-scoreboard", read_board)
        self.player_ledger = Ledger()
        self.views: dict[str, View] = {}
        self.targets: dict[str, int] = {}
        self.list_view = View(run, "scoreboards", "all", self._list, lambda: False)
        for _ in range(run.pick([0, 1, 3, run.size(1100)])):
            board = read_board({"id": self.store.free(), **self._board(2)}, None)
            self._seed(board)
        self._seed(read_board({"id": "é", **self._board(run.size(1000))}, None))

    def _seed(self, board: dict):
        self.store.seed(board)
        self._appeared(str(board["id"]))

    def data(self) -> dict:
        return {"scoreboards": list(self.store.docs.values())}

    def _list(self) -> dict:
        return list_content(list(self.store.docs.values()))

    def _appeared(self, id: str):
        docs = self.store.docs
        for player in docs[id]["players"]:
            self.player_ledger.use(player["id"])
        if id not in self.views:
            self.views[id] = View(
                self.run,
                "scoreboard",
                id,
                lambda: board_content(docs[id]) if id in docs else None,
                lambda: id in self.store.deleted,
            )

    # Steps

    def step(self):
        run, store = self.run, self.store
        kind = run.number(0, 19)
        id = store.any()
        if id is not None and run.chance(0.6):
            # Mostly one of few, so that their histories grow.
            id = list(store.docs)[-1]
        run.note_size("boards", len(store.docs))
        if id is None or kind <= 1:
            self._resize_list()
        elif kind == 2:
            if store.delete(id):
                self._forget(id)
        elif kind <= 4:
            self._write(id)
        elif kind <= 8:
            self._send_to_list(id)
        elif kind <= 13:
            self._send_to_board(id)
        elif kind <= 17:
            self._resize(id)
        elif kind == 18:
            self._write_player(id)
        else:
            store.check(id)
            self._players(id).check_list()
            store.check_list()
        run.touch(self.list_view)
        if id is not None:
            run.touch(self.views[id])

    def _forget(self, id: str):
        self.targets.pop(id, None)
        self.views[id].end()
        self.run.touch(self.views[id])

    def _resize_list(self):
        run, store = self.run, self.store
        count = len(store.docs)
        if "" not in self.targets or self.targets[""] == count:
            self.targets[""] = run.size(1100, count)
        away = self.targets[""] - count
        for _ in range(min(30, run.pick([1, 1, max(1, abs(away) - 2), abs(away)]))):
            if away > 0 or not store.docs:
                self._create()
            else:
                id = run.pick([next(iter(store.docs)), run.pick(store.docs)])
                if store.delete(id):
                    self._forget(id)
            run.note_size("boards", len(store.docs))

    def _create(self):
        run, store = self.run, self.store
        body = self._board(run.number(0, 2))
        if run.chance(0.5):
            gone = list(store.deleted - set(store.docs))
            twin = run.texts.other_id(store.any() or "")
            body["id"] = run.pick([run.texts.id(), twin or run.texts.id(), *gone[:1]])
        id = store.create(spoilt(run, body) if run.chance(0.1) else body)
        if id is not None:
            self._appeared(id)
            run.touch(self.views[id])

    def _write(self, id: str):
        """PUT or PATCH of a whole board."""
        run, doc = self.run, self.store.docs[id]
        body = {**doc, "players": list(doc["players"])}
        kind = run.number(0, 3)
        if kind == 0:
            body |= self._board(run.number(0, 3))
        elif kind == 1:
            body["title"] = run.texts.twin(doc["title"]) or run.texts.text()
        elif kind == 2:
            run.random.shuffle(body["players"])
        if run.chance(0.15):
            body = spoilt(run, body)
        if (self.store.replace if run.chance(0.5) else self.store.patch)(id, body):
            self._appeared(id)

    def _send_to_list(self, id: str):
        run, store = self.run, self.store
        name = run.pick(LIST_COMMANDS)
        body = self._arguments(name, ARGUMENTS[name], store.docs)
        if "board" in body and run.chance(0.9):
            body["board"] = store.docs[id]["id"]

        def take() -> Outcome:
            after = edited_boards(store.docs, body, store.free())
            changed = list(after.items()) != list(store.docs.items())
            gone = set(store.docs) - set(after)
            new = set(after) - set(store.docs)
            named = {str(body["board"])} if "board" in body else set()
            for one in gone | new | named:
                store.tags.pop(one, None)
            for one in named & set(self.views):
                run.touch(self.views[one])
            kept = dict(after)
            store.docs.clear()
            store.docs.update(kept)
            store.deleted |= gone
            store.deleted -= new
            for one in gone:
                self._forget(one)
            for one in new:
                store.ledger.use(kept[one]["id"])
                self._appeared(one)
                run.touch(self.views[one])
            return Outcome(changed)

        send(run, self.list_view, body, take)

    def _send_to_board(self, id: str):
        run, store = self.run, self.store
        board = store.docs[id]
        players = {str(player["id"]): player for player in board["players"]}
        name = run.pick(BOARD_COMMANDS)
        arguments = ARGUMENTS[name][0] - {"board"}, ARGUMENTS[name][1]
        body = self._arguments(name, arguments, players)

        def take() -> Outcome:
            free = self.player_ledger.free(lambda one: one in players)
            after = edited_board(board, body, free)
            store.docs[id] = after
            store.tags.pop(id, None)
            for player in after["players"]:
                self.player_ledger.use(player["id"])
            return Outcome(after != board)

        send(run, self.views[id], body, take)

    def _arguments(self, name: str, arguments: tuple, elements: dict) -> dict:
        """The body of a command on boards or players; most can be done."""
        run, (needed, others) = self.run, arguments
        body: dict = {"type": name}
        some = [one["id"] for one in elements.values()] or ["no such"]
        for member in sorted(needed | others):
            if member in others and run.chance(0.5):
                continue
            if member in ("board", "player", "before", "after"):
                id = run.pick([some[0], some[-1], run.pick(some)])
                twin = run.texts.other_id(str(id)) or "no such"
                body[member] = run.pick([id] * 12 + [str(id), twin])
            elif member == "id":
                id = run.pick(some)
                body[member] = run.pick([run.texts.id(), run.texts.other_id(str(id)) or id, None])
            elif member in ("score", "by"):
                body[member] = self._score()
            else:
                body[member] = self._text(elements)
        if run.chance(0.8):
            body.pop(run.pick(["before", "after"]), None)
        return spoilt(run, body) if run.chance(0.08) else body

    def _resize(self, id: str):
        """Grows or shrinks a board to a size: by one write, or one by one."""
        run, store = self.run, self.store
        players = store.docs[id]["players"]
        count = len(players)
        if id not in self.targets or self.targets[id] == count:
            self.targets[id] = run.size(1000, count)
        away = self.targets[id] - count
        run.note_size("players", count)
        if abs(away) > 3:
            body = {**store.docs[id], "players": players[: max(0, count + away + 1)]}
            body["players"] = body["players"] + [
                {"id": f"p{self.player_ledger.next}-{number}", "name": "P", "score": self._score()}
                for number in range(away - 2)
            ]
            if store.replace(id, body):
                self._appeared(id)
            return
        resource = self._players(id)
        for _ in range(max(1, abs(away))):
            if away >= 0:
                body = {"name": run.texts.text(300), "score": self._score()}
                if run.chance(0.3):
                    body["id"] = run.texts.other_id(resource.any() or "") or run.texts.id()
                resource.create(spoilt(run, body) if run.chance(0.1) else body)
            else:
                resource.delete(run.pick(resource.docs))
            run.note_size("players", len(resource.docs))
        self._take(id, resource)

    def _write_player(self, id: str):
        run, resource = self.run, self._players(id)
        player = resource.any()
        if player is None:
            return
        if run.chance(0.2):
            player = resource.strange_id()
        body = {"name": self._text(resource.docs), "score": self._score()}
        if run.chance(0.3) and player in resource.docs:
            body = dict(resource.docs[player])
        if run.chance(0.2):
            body = spoilt(run, body)
        (resource.replace if run.chance(0.5) else resource.patch)(player, body)
        resource.check(player)
        self._take(id, resource)

    def _players(self, id: str) -> Store:
        """The players of a board as a collection of its own."""
        path = f"/v1/scoreboards/{segment(id)}/players"
        store = Store(self.run, path, "unknown-player", read_player, self.player_ledger)
        store.docs = {str(player["id"]): player for player in self.store.docs[id]["players"]}
        store.full = lambda: len(store.docs) >= 1000
        return store

    def _take(self, id: str, resource: Store):
        """Puts the players of a collection on their board."""
        players = list(resource.docs.values())
        if players != self.store.docs[id]["players"]:
            self.store.tags.pop(id, None)
        self.store.docs[id] = {**self.store.docs[id], "players": players}

    def finish(self):
        self.store.check_list()
        self.list_view.check()
        for id in list(self.views)[-5:]:
            self.views[id].check()

    # Random bodies

    def _board(self, most: int) -> dict:
        players = [
            {
                "id": number if self.run.chance(0.5) else f"p{number}",
                "name": "P",
                "score": number % 7,
            }
            for number in range(most)
        ]
        return {"title": self.run.texts.text(300), "players": players}

    def _score(self) -> int:
        return self.run.pick([0, 1, 1, 2, -1, 7, MOST, -MOST, self.run.number(-50, 50)])

    def _text(self, elements: dict) -> str:
        """A name: any, or one that looks like one that is there."""
        names = [one.get("name", one.get("title")) for one in list(elements.values())[-5:]]
        twin = self.run.texts.twin(self.run.pick(names)) if names else None
        return twin if twin and self.run.chance(0.6) else self.run.texts.text(300)
