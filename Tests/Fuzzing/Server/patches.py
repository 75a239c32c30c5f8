"""JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396), after the words of the two documents."""

import canonical
from changes import demand


def tokens_of(pointer: str) -> list:
    demand(pointer == "" or pointer.startswith("/"), "this is no JSON pointer:", pointer)
    return [one.replace("~1", "/").replace("~0", "~") for one in pointer.split("/")[1:]]


def child(parent, token: str):
    if isinstance(parent, list):
        return parent[index_in(parent, token, len(parent) - 1)]
    demand(isinstance(parent, dict) and token in parent, "there is no such member:", token)
    return parent[token]


def index_in(parent: list, token: str, last: int) -> int:
    whole = token.isascii() and token.isdigit() and (token == "0" or token[0] != "0")
    demand(whole and int(token) <= last, "this is no index of the array:", token, len(parent))
    return int(token)


def found(document, tokens: list):
    for token in tokens:
        document = child(document, token)
    return document


def taken(document, tokens: list):
    """Takes a value out of a document."""
    parent = found(document, tokens[:-1])
    value = child(parent, tokens[-1])
    if isinstance(parent, list):
        del parent[index_in(parent, tokens[-1], len(parent) - 1)]
    else:
        del parent[tokens[-1]]
    return value


def put(document, tokens: list, value):
    """Adds a value to a document; gives the document, which is the value where it is replaced."""
    if not tokens:
        return value
    parent = found(document, tokens[:-1])
    if isinstance(parent, list):
        end = tokens[-1] == "-"
        parent.insert(len(parent) if end else index_in(parent, tokens[-1], len(parent)), value)
    else:
        demand(isinstance(parent, dict), "a member of what is no object:", tokens)
        parent[tokens[-1]] = value
    return document


def patched(document, patch: list):
    """The document after a JSON Patch. It is changed in place: hand in a copy."""
    for operation in patch:
        kind, tokens = operation["op"], tokens_of(operation["path"])
        if kind == "test":
            same = canonical.encoded(found(document, tokens)) == canonical.encoded(
                operation["value"]
            )
            demand(same, "a test fails:", operation)
        elif kind == "add":
            document = put(document, tokens, operation["value"])
        elif kind == "remove":
            taken(document, tokens)
        elif kind == "replace":
            if tokens:
                taken(document, tokens)
            document = put(document, tokens, operation["value"])
        elif kind == "move":
            value = taken(document, tokens_of(operation["from"]))
            document = put(document, tokens, value)
        else:
            demand(False, "an operation that the contract does not know:", operation)
    return document


def check_ends(operations: list, old: str, new: str):
    """A patch tests the revision that it is for, and ends with the one that it leads to."""
    if [one["path"] for one in operations] == [""]:
        return
    test = {"op": "test", "path": "/revision", "value": old}
    last = {"op": "replace", "path": "/revision", "value": new}
    demand([operations[0], operations[-1]] == [test, last], "not from", old, "to", new)
    replaced = [one["path"] for one in operations if one["op"] == "replace"]
    demand(len(set(replaced)) == len(replaced), "one place is replaced twice:", replaced)


def merged(target, patch):
    """The target after a JSON Merge Patch."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            result.pop(name, None)
        else:
            result[name] = merged(result.get(name), value)
    return result
