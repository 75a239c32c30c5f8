"""Lists whose difference the server is asked for: each form of it must lead from one to the other."""

import canonical
from changes import fill, lift, moves_needed
from patches import patched
from run import Run

PATCH = "application/json-patch+json"


def check_difference(run: Run):
    """Asks for the difference of two random lists in one of its forms."""
    old = elements(run, run.pick([0, 1, 3, 8, 40]))
    new = [changed(run, one) for one in old if run.chance(0.8)]
    if run.chance(0.5):
        run.random.shuffle(new)
    known = {canonical.encoded(one["id"]) for one in old}
    for one in elements(run, run.number(0, 4)):
        if canonical.encoded(one["id"]) not in known:
            new.insert(run.number(0, len(new)), one)
    form = run.pick([None, "changeset", "patch", "script"])
    accept = run.pick([PATCH, "application/json"]) if form in (None, "patch") else "application/json"
    body = {"from": old, "to": new} | ({"form": form} if form else {})
    answer = run.call("POST", "/v1/differences", body, {"Accept": accept})
    run.expect(answer.status == 200, "200", answer)
    run.expect(answer.headers["Content-Type"] == accept, accept, answer.headers["Content-Type"])
    form = form or ("patch" if accept == PATCH else "changeset")
    readers = {"changeset": by_changeset, "patch": by_patch, "script": by_script}
    result, moves = readers[form](old, answer.json)
    run.expect(canonical.encoded(result) == canonical.encoded(new), new, f"{result} by {answer}")
    places = {canonical.encoded(one["id"]): place for place, one in enumerate(old)}
    order = [places[id] for one in new if (id := canonical.encoded(one["id"])) in places]
    run.expect(moves == moves_needed(order), f"{moves_needed(order)} moves", answer)
    run.totals["differences"] += 1


def elements(run: Run, count: int) -> list:
    """So many elements, of which two may have ids that only look alike."""
    found: dict = {}
    for number in range(count):
        id = run.pick([number, str(number), f"n{number}", run.texts.text(40)])
        one = {"id": id} | ({"n": run.pick(VALUES)} if run.chance(0.6) else {})
        found[canonical.encoded(id)] = one
    return list(found.values())


VALUES = [0, 1, 1.5, "1", "", None, True, [], {}, {"n": [1]}]


def changed(run: Run, one: dict) -> dict:
    if run.chance(0.7):
        return one
    value = run.pick(VALUES)
    return run.pick([{"id": one["id"]}, {**one, "n": value}, {**one, "a/~": value}])


def by_changeset(old: list, groups: dict) -> tuple[list, int]:
    """The list after a batch update."""
    assert set(groups) <= {"deletes", "inserts", "moves", "updates"} and all(groups.values()), groups
    moves = groups.get("moves", [])
    lifted: dict = {}
    gone = {one["at"]: one["id"] for one in groups.get("deletes", [])}
    left = lift(old, gone | {one["from"]: one["id"] for one in moves}, lifted)
    places = {one["at"]: one["element"] for one in groups.get("inserts", [])}
    new = fill(left, places | {one["to"]: old[one["from"]] for one in moves})
    for one in groups.get("updates", []):
        assert old[one["from"]]["id"] == one["id"] == new[one["to"]]["id"], one
        new[one["to"]] = updated(new[one["to"]], one)
    return new, len(moves)


def by_script(old: list, steps: list) -> tuple[list, int]:
    """The list after one step after the other."""
    new = list(old)
    for step in steps:
        kind = step["op"]
        if kind == "move":
            element = new.pop(step["from"])
            assert element["id"] == step["id"], step
            new.insert(step["to"], element)
        elif kind == "insert":
            new.insert(step["at"], step["element"])
        elif kind == "delete":
            assert new.pop(step["at"])["id"] == step["id"], step
        else:
            assert kind == "update" and new[step["at"]]["id"] == step["id"], step
            new[step["at"]] = updated(new[step["at"]], step)
    return new, sum(step["op"] == "move" for step in steps)


def by_patch(old: list, operations: list) -> tuple[list, int]:
    moves = sum(one["op"] == "move" for one in operations)
    return patched([dict(one) for one in old], operations), moves


def updated(element: dict, update: dict) -> dict:
    """The element with other members; each change is one."""
    new = {name: value for name, value in element.items() if name not in update.get("unset", [])}
    assert len(new) == len(element) - len(update.get("unset", [])), update
    new |= update.get("set", {})
    assert canonical.encoded(new) != canonical.encoded(element), update
    return new
