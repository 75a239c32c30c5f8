"""Clients that follow view models by streams, while others change these."""

import json

import canonical
from run import Run
from streams import Copy
from views import View
from windows import Window, drawn

MOST = 3


class Follower:
    """A client that follows a view model by one stream while others change it."""

    def __init__(self, run: Run, view: View, window: Window | None):
        self.run, self.view, self.window = run, view, window
        query = f"?window={window}" if window else ""
        self.stream = run.client.stream(f"{view.path}/events{query}")
        self.copy = Copy(view.name)
        self._read()

    def _read(self) -> bool:
        """Takes the next event; whether there was one."""
        fields = self.stream.block()
        if fields is None:
            return False
        wanted = {"id", "data"} | ({"retry"} if self.copy.content is None else set())
        self.run.expect(set(fields) == wanted, wanted, fields)
        document = json.loads(fields["data"])
        self.run.expect(fields["id"] == document["revision"], "the id of its revision", fields)
        self.copy.take(document)
        return True

    def check(self) -> bool:
        """Reads until the copy is what the model shows.

        Gives False once the stream has ended, as it does when the key is deleted.
        """
        content = self.view.content()
        wanted = content and canonical.encoded(self.window.of(content) if self.window else content)
        while content is None or canonical.encoded(self.copy.content) != wanted:
            if not self._read():
                epoch = self.copy.token.split(".")[0]
                is_gone = content is None or self.view.current.token.split(".")[0] != epoch
                told = f"events of {self.view.name}, which is there"
                self.run.expect(is_gone, told, "the end of the stream")
                self.stream.close()
                return False
        self.run.totals["follows"] += 1
        return True


def follow(run: Run):
    """Follows some view models, a few at once."""
    run.followers = [one for one in run.followers if not run.chance(0.5) or one.check()]
    views = [view for view in run.views if view.content() is not None]
    if len(run.followers) < MOST and views:
        view = run.pick(views)
        window = drawn(run, view.content()) if run.chance(0.3) else None
        run.followers.append(Follower(run, view, window))
