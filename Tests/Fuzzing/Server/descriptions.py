"""What the server says of its screens, and whether they keep to it."""

from again import ask_again
from run import Run, segment
from shapes import Refused


# The commands that open screens, with what they load.
OPENINGS = {"profile": ("appear", ["posts", "profile"]), "podcasts": ("load", ["podcasts"])}
NAMES = {"profile", "podcasts", "scoreboards", "scoreboard", "catalog", "form", "settings"}


def check_descriptions(run: Run):
    """Compares the descriptions of the screens with what was seen of their view models."""
    answer = run.get("/v1/view-models")
    ask_again(run, "/v1/view-models", answer)
    listed = answer.json["screens"]
    described = {one["name"]: one for one in listed}
    run.expect(sorted(NAMES) == sorted(one["name"] for one in listed), NAMES, list(described))
    for view in run.random.sample(run.views, min(len(run.views), 4)):
        name, _, key = view.name.partition("/")
        content = view.content()
        if content is None:
            continue
        whole = run.get(f"/v1/view-models/{name}").json
        same = whole == whole | described[name]
        run.expect(same, f"all that the list says: {described[name]}", whole)
        path = described[name]["path"].rpartition("/")[0]
        run.expect(view.path == f"{path}/{segment(key)}", f"a path of {path}", view.path)
        machines = set(whole["stateMachine"])
        run.expect(set(content["states"]) >= set(whole["sources"]), whole["sources"], content["states"])
        run.expect(set(whole["sources"]) <= machines, f"machines of {whole['sources']}", machines)
        types = {row["type"] for section in content["sections"] for row in section["rows"]}
        known = {one["type"] for one in whole["rowTypes"]}
        run.expect(types <= known, f"rows of the types {known}", types)
        commands = {one["type"] for one in whole["commands"]}
        run.expect(view.sent <= commands, f"commands of {commands}", view.sent)
        opening = whole.get("opening"), whole.get("opens")
        wanted = OPENINGS.get(name, (None, None))
        run.expect(opening == wanted and {wanted[0]} - {None} <= commands, wanted, opening)
        is_personal = whole.get("personal", False)
        run.expect(is_personal == (name == "form"), "sessions of forms alone", is_personal)
    run.expect_refused(run.call("GET", "/v1/view-models/no%20such"), Refused(404, "unknown-screen"))
    answer = run.call("PUT", run.views[0].path, {})
    run.expect_refused(answer, Refused(405, "method-not-allowed"))
    allowed = run.client.ask("OPTIONS", run.views[0].path, {})
    for one in (answer, allowed):
        run.expect(one.headers["Allow"] == "GET, HEAD, OPTIONS", "GET, HEAD, OPTIONS", dict(one.headers))
    run.expect(allowed.status == 204, "204", allowed)
