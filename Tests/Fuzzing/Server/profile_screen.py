"""The screen `profile`: users and their posts, loaded from two sources."""

from commands import Outcome, send
from loading import Source, error_row, loading_row
from shapes import Refused, counted, date, day, identifier, invalid, kept, link, members, moment, optional
from shapes import own_id, required, string, whole
from sources import SourceActor
from stores import Store


def parsed_user(body, assigned, _) -> dict:
    body = members(body, "")
    id = own_id(body, assigned)
    name = optional(body, "username", string)
    if name is None:
        name = optional(body, "name", string)
    if name is None:
        raise Refused(422, "invalid-member")
    # In the order in which the server reads them, because it refuses the first that is wrong.
    email = optional(body, "email", string)
    website = optional(body, "website", string)
    address = optional(body, "address", members)
    city = optional(address, "city", string, "/address") if address is not None else None
    picture = optional(body, "avatarURL", link)
    return kept(
        id=id,
        username=name,
        email=email,
        website=website,
        address={"city": city} if city is not None else None,
        avatarURL=picture if picture is not None else optional(body, "image", link),
        friendsCount=optional(body, "friendsCount", lambda value, place: whole(value, place, 0)),
    )


def parsed_post(owner):
    def parse(body, assigned, _) -> dict:
        body = members(body, "")
        id = own_id(body, assigned)
        user = owner if body.get("userId") is None else identifier(body["userId"], "/userId")
        title = string(required(body, "title"), "/title")
        text = string(required(body, "body"), "/body")
        day = optional(body, "date", date)
        # The members are read before they are compared with the path.
        if str(user) != str(owner):
            raise invalid("/userId")
        return kept(id=id, userId=owner, title=title, body=text, date=day)

    return parse


def newest_first(posts: list) -> list:
    """By date, then the one that was written last; those without a date stand last."""
    dated = [post for post in reversed(posts) if "date" in post]
    return sorted(dated, key=lambda post: post["date"], reverse=True) + [
        post for post in reversed(posts) if "date" not in post
    ]


def dated(post: dict, reply: dict) -> dict:
    """A new post with the date of the server's clock, where it has none of its own."""
    now = reply.get("date")
    return {"date": now if isinstance(now, str) and moment(now) == now else "a date", **post}


class Screen:
    """What the screen of one user knows."""

    def __init__(self):
        self.sources = {"profile": Source(), "posts": Source()}

    def content(self) -> dict:
        profile, posts = self.sources["profile"], self.sources["posts"]
        return {
            "states": {name: source.state for name, source in self.sources.items()},
            "sections": [
                {"id": "profile", "rows": self._profile(profile, profile.shown("keepPrevious"))},
                {"id": "posts", "rows": self._posts(posts, posts.shown("keepPrevious"))},
            ],
        }

    def _profile(self, source: Source, user: dict | None) -> list:
        rows = []
        if source.state == "failed":
            text = "Couldn't load profile."
            rows.append(error_row("profile", "profileError", source.code, text, "loadProfile"))
            if user is None:
                return rows
        loading = source.state == "isLoading"
        header = {"id": "profile/header", "type": "profileHeader"}
        header["username"] = {"isLoading": loading, "text": user["username"] if user else ""}
        if user is None or "friendsCount" in user:
            count = str(user["friendsCount"]) if user else ""
            header["friendsCount"] = {"isLoading": loading, "text": count}
        if user and "friendsCount" in user:
            header["friendsCountText"] = counted(user["friendsCount"], "friend")
        if user and "avatarURL" in user:
            header["avatarURL"] = user["avatarURL"]
        rows.append(header)
        if user and "address" in user:
            rows.append(attribute("location", "Location", user["address"]["city"]))
        if user and "website" in user:
            rows.append(attribute("website", "Website", user["website"]))
        return rows

    def _posts(self, source: Source, posts: list | None) -> list:
        rows = [{"id": "posts/header", "type": "contentHeader", "text": "Posts"}]
        if source.state == "isLoading":
            rows.append(loading_row("posts"))
        if source.state == "failed":
            text = "Couldn't load posts."
            rows.append(error_row("posts", "contentError", source.code, text, "loadPosts"))
        if posts == []:
            rows.append({"id": "posts/empty", "type": "contentEmpty", "text": "No posts yet"})
        for post in posts or []:
            row = {"id": f"post/{post['id']}", "type": "post"}
            row |= {name: post[name] for name in ("title", "body", "date") if name in post}
            if "date" in post:
                row["dateText"] = day(post["date"])
            rows.append(row)
        return rows


def attribute(id: str, name: str, value: str) -> dict:
    return {"id": f"profile/{id}", "type": "profileAttribute", "name": name, "value": value}


class Profile(SourceActor):
    """Writes to users and posts, and loads, cancels and fails their screens."""

    name, holders_path, entries_name = "profile", "/v1/users", "posts"
    unknown_holder, unknown_entry = "unknown-user", "unknown-post"
    screen_name, most_entries, kind = "profile", 1100, "posts"
    source_names = ["profile", "posts"]

    def parse_holder(self, body, assigned, current):
        return parsed_user(body, assigned, current)

    def new_holders(self) -> Store:
        store = super().new_holders()
        store.aliases = {"name": "username", "image": "avatarURL"}
        return store

    def new_entries(self, holder) -> Store:
        store = super().new_entries(holder)
        store.parse = parsed_post(holder)
        store.arranged = newest_first
        # Ids of posts are unique over all users.
        store.is_taken = lambda id: any(id in one.docs for one in self.entries.values())
        store.completed = dated
        return store

    def new_screen(self, id):
        return Screen()

    def loaded(self, source: str, id: str):
        """What a load brings, or the code of its failure."""
        if source == "profile":
            return self.holders.docs[id], None
        return newest_first(list(self.entries[id].docs.values())), None

    def data(self) -> dict:
        posts = [post for store in self.entries.values() for post in store.docs.values()]
        return {"users": list(self.holders.docs.values()), "posts": posts}

    # Random bodies

    def holder_body(self) -> dict:
        texts, run = self.run.texts, self.run
        body: dict = {run.pick(["username", "username", "name"]): texts.text(200)}
        for name in ["email", "website", "avatarURL", "image"]:
            if run.chance(0.3):
                is_link = name in ("avatarURL", "image")
                body[name] = texts.link() if is_link else texts.text(200)
        if run.chance(0.4):
            body["address"] = {"city": texts.text(200), "street": "ignored"}
        if run.chance(0.4):
            body["friendsCount"] = run.pick([0, 1, 12, 2**53])
        return body

    def entry_body(self) -> dict:
        body = {"title": self.run.texts.text(200), "body": self.run.texts.text(200)}
        if self.run.chance(0.7):
            body["date"] = self.random_date()
        return body

    def command(self, id: str):
        name = self.run.pick(
            ["appear", "appear", "loadProfile", "loadPosts", "cancelProfile", "cancelPosts"]
        )
        loads = {"appear": ["posts", "profile"], "loadProfile": ["profile"], "loadPosts": ["posts"]}
        cancels = {"cancelProfile": "profile", "cancelPosts": "posts"}
        if name in loads:
            take = lambda: self.take_loads(id, loads[name])
        else:
            take = lambda: Outcome(self.screens[id].sources[cancels[name]].cancel())
        send(self.run, self.views[id], {"type": name}, take)
