"""What can be written to scoreboards, whole or by commands, on plain dictionaries.

The boards are a dictionary by the texts of their ids, in the order in which they are shown; each
is as the REST resource has it.
"""

from shapes import Refused, array, at, identifier, invalid, members, misplaced, optional, own_id
from shapes import required, shown, whole

MOST = 1_000_000_000


def score(value, pointer: str) -> int:
    return whole(value, pointer, -MOST, MOST)


def read_player(body, assigned, _=None, pointer: str = "") -> dict:
    members(body, pointer, {"id", "name", "score"})
    id = own_id(body, assigned, pointer)
    name = shown(required(body, "name", pointer), at(pointer, "name"))
    return {"id": id, "name": name, "score": optional(body, "score", score, pointer) or 0}


def read_board(body, assigned, _=None) -> dict:
    members(body, "", {"id", "title", "players"})
    id = own_id(body, assigned)
    title = shown(required(body, "title"), "/title")
    listed = optional(body, "players", array) or []
    if len(listed) > 1000:
        raise invalid("/players")
    players = [read_player(one, None, None, at("/players", i)) for i, one in enumerate(listed)]
    if len({str(player["id"]) for player in players}) < len(players):
        raise Refused(422, "invalid-member", within="/players")
    return {"id": id, "title": title, "players": players}


ARGUMENTS = {
    "addBoard": ({"title"}, {"id", "before", "after"}),
    "removeBoard": ({"board"}, set()),
    "moveBoard": ({"board"}, {"before", "after"}),
    "renameBoard": ({"title", "board"}, set()),
    "addPlayer": ({"name"}, {"id", "score", "before", "after"}),
    "renamePlayer": ({"player", "name"}, set()),
    "setScore": ({"player", "score"}, set()),
    "adjustScore": ({"player", "by"}, set()),
    "removePlayer": ({"player"}, set()),
    "movePlayer": ({"player"}, {"before", "after"}),
}
LIST_COMMANDS = ["addBoard", "removeBoard", "moveBoard", "renameBoard"]
BOARD_COMMANDS = [
    "renameBoard",
    *(name for name in ARGUMENTS if "Player" in name or "Score" in name),
]


def read_command(body: dict, commands: list) -> dict:
    """The arguments of a command, checked one by one; the ids as they are given."""
    name = body.get("type")
    if name not in commands:
        raise misplaced("/type")
    needed, others = ARGUMENTS[name]
    if commands is BOARD_COMMANDS:
        needed = needed - {"board"}
    if set(body) - needed - others - {"type"} or needed - set(body):
        raise misplaced(within="/")
    readers = {"title": shown, "name": shown, "score": score, "by": score}
    try:
        read = {}
        for member in (needed | others) & set(body):
            if member in needed or body[member] is not None:
                read[member] = readers.get(member, identifier)(body[member], f"/{member}")
    except Refused:
        raise misplaced(within="/") from None
    if "before" in read and "after" in read:
        raise misplaced("/after")
    if name.startswith("move") and "before" not in read and "after" not in read:
        raise misplaced("/before")
    return read


def placed(elements: dict, id: str, read: dict) -> dict:
    """The elements with one of them beside another, where the command says so."""
    name = "before" if "before" in read else "after"
    if name not in read:
        return elements
    anchor = str(read[name])
    if anchor == id:
        raise misplaced(f"/{name}")
    ids = [one for one in elements if one != id]
    ids.insert(ids.index(anchor) + (name == "after"), id)
    return {one: elements[one] for one in ids}


def check_anchor(elements: dict, read: dict):
    for name in ("before", "after"):
        if name in read and str(read[name]) not in elements:
            raise misplaced(f"/{name}")


def edited_boards(boards: dict, body: dict, next_id: int) -> dict:
    """All boards after a command of the list."""
    read, name = read_command(body, LIST_COMMANDS), body["type"]
    if name == "addBoard":
        check_anchor(boards, read)
        new = {"id": read.get("id", next_id), "title": read["title"], "players": []}
        if str(new["id"]) in boards:
            raise misplaced("/id")
        return placed({**boards, str(new["id"]): new}, str(new["id"]), read)
    id = str(read["board"])
    if id not in boards:
        raise misplaced("/board")
    if name == "removeBoard":
        return {one: board for one, board in boards.items() if one != id}
    if name == "renameBoard":
        return {**boards, id: {**boards[id], "title": read["title"]}}
    check_anchor(boards, read)
    return placed(boards, id, read)


def edited_board(board: dict, body: dict, next_id: int) -> dict:
    """One board after a command of its own screen."""
    read, name = read_command(body, BOARD_COMMANDS), body["type"]
    if name == "renameBoard":
        return {**board, "title": read["title"]}
    players = {str(player["id"]): player for player in board["players"]}
    if name == "addPlayer":
        check_anchor(players, read)
        new = {"id": read.get("id", next_id), "name": read["name"], "score": read.get("score", 0)}
        if str(new["id"]) in players:
            raise misplaced("/id")
        if len(players) >= 1000:
            raise misplaced(within="/")
        players = placed({**players, str(new["id"]): new}, str(new["id"]), read)
        return {**board, "players": list(players.values())}
    id = str(read["player"])
    if id not in players:
        raise misplaced("/player")
    player = players[id]
    if name == "renamePlayer":
        players[id] = {**player, "name": read["name"]}
    elif name == "setScore":
        players[id] = {**player, "score": read["score"]}
    elif name == "adjustScore":
        if abs(player["score"] + read["by"]) > MOST:
            raise misplaced("/by")
        players[id] = {**player, "score": player["score"] + read["by"]}
    elif name == "removePlayer":
        del players[id]
    else:
        check_anchor(players, read)
        players = placed(players, id, read)
    return {**board, "players": list(players.values())}
