"""Actors on a personal screen, which is another one in each session."""

from sources import SourceActor
from views import View

# Of the shortest length, with every kind of character, and a long one.
SESSIONS = ["s" * 22, "aZ09-_" * 5, "x" * 60]


class PersonalActor(SourceActor):
    """The screens and views are also kept by pairs of a holder and a session."""

    def key_of(self, id: str) -> str:
        # What follows the last @ of a key is a session.
        return f"{id}@{SESSIONS[0]}" if "@" in id else id

    def keys(self, id: str) -> list:
        """A holder without and with each session in which it was looked at."""
        return [key for key in self.views if key == id or isinstance(key, tuple) and key[0] == id]

    def some_key(self, id: str):
        """A holder itself or a session of it, which may be a new one."""
        run, key = self.run, (id, self.run.pick(SESSIONS))
        name = "@".join(key)
        if run.chance(0.6) or name == self.key_of(id):
            return id
        if key not in self.views:
            self.screens[key] = self.new_screen(id)
            content = lambda: self.screens[key].content() if key in self.screens else None
            gone = lambda: id in self.holders.deleted
            self.views[key] = View(run, self.screen_name, name, content, gone)
        return key

    def _appeared(self, id: str):
        super()._appeared(id)
        for key in self.keys(id):
            self.screens[key] = self.new_screen(id)
            self.run.touch(self.views[key])

    def _vanished(self, id: str):
        super()._vanished(id)
        for key in self.keys(id):
            self.run.touch(self.views[key])
            if key != id:
                del self.screens[key]
                self.views[key].end()


def holder_of(key) -> str:
    """The holder of a key, which may have a session."""
    return key if isinstance(key, str) else key[0]
