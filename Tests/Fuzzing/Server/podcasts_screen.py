"""The screen `podcasts`: listeners, and the podcasts that they follow as their feeds have them."""

from commands import Outcome, send
from loading import Source, action, error_row, loading_row
from shapes import Refused, day, kept, link, members, moment, optional, own_id, required, string
from sources import SourceActor


def parsed_listener(body, assigned, _) -> dict:
    body = members(body, "")
    id = own_id(body, assigned)
    return {"id": id, "name": string(required(body, "name"), "/name")}


def parsed_podcast(body, assigned, _) -> dict:
    body = members(body, "")
    id = own_id(body, assigned)
    title, author = optional(body, "title", string), optional(body, "author", string)
    links = {name: optional(body, name, link) for name in ("artworkURL", "podcastURL")}
    episode = optional(body, "latestEpisode", members)
    if episode is not None:
        place = "/latestEpisode"
        name = optional(episode, "title", string, place)
        episode = kept(title=name, date=optional(episode, "date", string, place))
    return kept(id=id, title=title, author=author, latestEpisode=episode, **links)


def fault(item: dict) -> str | None:
    """Why a podcast cannot be shown; None if it can."""
    episode = item.get("latestEpisode")
    if not (item.get("title") or "").strip():
        return f"The podcast {item['id']} has no title."
    if episode is not None and not (episode.get("title") or "").strip():
        return f"The latest episode of podcast {item['id']} has no title."
    date = (episode or {}).get("date")
    if date is not None and moment(date) is None:
        return f"The latest episode of podcast {item['id']} has an invalid date."
    return None


def shown_podcasts(feed: list) -> list | None:
    """The rows of a feed; None where something in it cannot be shown."""
    rows = []
    for item in feed:
        if fault(item):
            return None
        row = {"id": f"podcast/{item['id']}", "type": "podcast", "title": item["title"]}
        row |= {name: item[name] for name in ("author", "artworkURL", "podcastURL") if name in item}
        if episode := item.get("latestEpisode"):
            date = moment(episode["date"]) if "date" in episode else None
            text = date and day(date)
            row["latestEpisode"] = kept(title=episode["title"], date=date, dateText=text)
        rows.append(row)
    dated = [row for row in rows if "date" in row.get("latestEpisode", {})]
    dated.sort(key=lambda row: row["latestEpisode"]["date"], reverse=True)
    return dated + [row for row in rows if "date" not in row.get("latestEpisode", {})]


class Screen:
    """What the screen of one listener knows."""

    def __init__(self, listener: dict):
        self.listener, self.policy = listener, "keepPrevious"
        self.sources = {"podcasts": Source()}

    def content(self) -> dict:
        source = self.sources["podcasts"]
        other = "blank" if self.policy == "keepPrevious" else "keepPrevious"
        title = "Blank on refresh" if other == "blank" else "Keep rows on refresh"
        header = {"id": "podcasts/header", "type": "podcastsHeader", "text": "Podcasts"}
        header["action"] = action(title, type="setRefreshPolicy", policy=other)
        header |= {"listener": self.listener["name"], "refreshPolicy": self.policy}
        effect = "Disappears" if self.policy == "blank" else "Stays on screen"
        header["refreshPolicyText"] = f"{effect} while it is refreshed"
        rows = [header]
        if source.state == "isLoading":
            rows.append(loading_row("podcasts"))
        if source.state == "failed":
            text = "Couldn't load podcasts."
            rows.append(error_row("podcasts", "contentError", source.code, text, "load"))
        shown = source.shown(self.policy)
        if shown == []:
            rows.append({"id": "podcasts/empty", "type": "contentEmpty", "text": "No podcasts yet"})
        sections = [{"id": "podcasts", "rows": rows + (shown or [])}]
        states = {"podcasts": source.state, "refreshPolicy": self.policy}
        return {"states": states, "sections": sections}


class Podcasts(SourceActor):
    """Writes to listeners and feeds, right ones and such as cannot be shown."""

    name, holders_path, entries_name = "podcasts", "/v1/listeners", "podcasts"
    unknown_holder, unknown_entry = "unknown-listener", "unknown-podcast"
    screen_name, most_entries, kind = "podcasts", 1000, "podcasts"
    source_names = ["podcasts"]

    def parse_holder(self, body, assigned, current):
        return parsed_listener(body, assigned, current)

    def new_entries(self, holder):
        store = super().new_entries(holder)
        store.parse = parsed_podcast
        store.full = lambda: len(store.docs) >= 1000
        store.exists = False
        return store

    def new_screen(self, id):
        return Screen(self.holders.docs[id])

    def holder_changed(self, id: str):
        self.screens[id].listener = self.holders.docs[id]

    def entries_changed(self, id: str):
        self.entries[id].exists = True
        shown = shown_podcasts(list(self.entries[id].docs.values()))
        if shown is not None:
            self.screens[id].sources["podcasts"].changed(shown)

    def loaded(self, source: str, id: str):
        store = self.entries[id]
        if not store.exists and not store.docs:
            return None, ("missing", "The listener has not followed any podcast yet.")
        feed = list(store.docs.values())
        if faults := [reason for item in feed if (reason := fault(item))]:
            return None, ("malformed", faults[0])
        return shown_podcasts(feed), None

    def data(self) -> dict:
        return {
            "listeners": [
                (
                    {**doc, "podcasts": list(self.entries[id].docs.values())}
                    if self.entries[id].docs
                    else doc
                )
                for id, doc in self.holders.docs.items()
            ]
        }

    # Random bodies

    def holder_body(self) -> dict:
        return {"name": self.run.texts.text(200)}

    def entry_body(self) -> dict:
        run, texts = self.run, self.run.texts
        body: dict = {"title": "P" + texts.text(200)}
        if run.chance(0.3):
            body["author"] = texts.text(200)
        for name in ("artworkURL", "podcastURL"):
            if run.chance(0.3):
                body[name] = texts.link()
        if run.chance(0.5):
            episode = {"title": "E" + texts.text(200)}
            if run.chance(0.8):
                episode["date"] = self.random_date()
            body["latestEpisode"] = episode
        if run.chance(0.02):
            body |= run.pick(
                [{"title": None}, {"title": " \t"}, {"latestEpisode": {}},
                 {"latestEpisode": {"title": "E", "date": "yesterday"}}]
            )  # fmt: skip
        return body

    def check_feed(self, id: str):
        store = self.entries[id]
        if store.exists or store.docs:
            return store.check_list()
        missing = Refused(404, "missing-feed")
        self.run.expect_refused(self.run.call("GET", store.path), missing)

    def command(self, id: str):
        run, screen = self.run, self.screens[id]
        name = run.pick(["load", "load", "cancel", "setRefreshPolicy"])
        body = {"type": name}
        if name == "setRefreshPolicy":
            body["policy"] = run.pick(["blank", "keepPrevious", "blank", "keepPrevious", "none", 1])

        def take():
            if name == "load":
                return self.take_loads(id, ["podcasts"])
            if name == "cancel":
                return Outcome(screen.sources["podcasts"].cancel())
            if body["policy"] not in ("blank", "keepPrevious"):
                raise Refused(422, "invalid-command", "/policy")
            accepted = screen.policy != body["policy"]
            screen.policy = body["policy"]
            return Outcome(accepted)

        send(run, self.views[id], body, take)
