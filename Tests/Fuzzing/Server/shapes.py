"""Reads bodies as the OpenAPI document wants them, and says what is refused."""

import re
import unicodedata
from datetime import datetime, timedelta, timezone


class Refused(Exception):
    """A request that has to be refused, with all that is certain about the refusal."""

    def __init__(self, status: int, code: str, pointer: str | None = None, within: str = ""):
        super().__init__(f"{status} {code} at {pointer or within + '…'}")
        self.status, self.code, self.pointer, self.within = status, code, pointer, within


def invalid(pointer: str) -> Refused:
    return Refused(422, "invalid-member", pointer)


def misplaced(pointer: str = "", within: str = "") -> Refused:
    """The refusal of a command for one of its arguments."""
    return Refused(422, "invalid-command", pointer or None, within)


def at(pointer: str, name) -> str:
    return f"{pointer}/{str(name).replace('~', '~0').replace('/', '~1')}"


def members(value, pointer: str, allowed: set | None = None) -> dict:
    """The members of an object; where `allowed` is given, there must be no others."""
    if not isinstance(value, dict):
        raise invalid(pointer)
    for name in sorted(value):
        if allowed is not None and name not in allowed:
            raise invalid(at(pointer, name))
    return value


def array(value, pointer: str) -> list:
    if not isinstance(value, list):
        raise invalid(pointer)
    return value


def string(value, pointer: str) -> str:
    if not isinstance(value, str):
        raise invalid(pointer)
    return value


URL = re.compile(
    r"https?://(?:[a-z0-9_-][a-z0-9._-]{0,252}|\[[0-9a-f:.]{2,}\])(?::(\d+))?(?=[/?#]|$)",
    re.ASCII | re.IGNORECASE,
)


def link(value, pointer: str, paths: bool = True) -> str:
    """An http or https URL, or a path of the server that begins with one slash."""
    text = string(value, pointer)
    if not is_link(text, paths) or len(text.encode()) > 2048:
        raise invalid(pointer)
    return text


def is_link(text: str, paths: bool) -> bool:
    found = URL.match(text)
    is_url = found and (found[1] is None or 0 < int(found[1]) < 65536)
    is_path = paths and text.startswith("/") and not text.startswith("//")
    spoilt = any(
        one.isspace() or one in "\\\"<>^`{|}" or unicodedata.category(one) in ("Cc", "Cf")
        for one in text
    )
    return bool(is_url or is_path) and not spoilt


def boolean(value, pointer: str) -> bool:
    if not isinstance(value, bool):
        raise invalid(pointer)
    return value


def shown(value, pointer: str) -> str:
    """A title or a name: 1 to 1,000 bytes."""
    if not 1 <= len(string(value, pointer).encode()) <= 1000:
        raise invalid(pointer)
    return value


def number(value, pointer: str):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise invalid(pointer)
    return int(value) if value == int(value) and abs(value) <= 2**53 else value


def whole(value, pointer: str, least: int = -(2**53), most: int = 2**53) -> int:
    value = number(value, pointer)
    if not isinstance(value, int) or not least <= value <= most:
        raise invalid(pointer)
    return value


def one_of(value, pointer: str, choices) -> str:
    if string(value, pointer) not in choices:
        raise invalid(pointer)
    return value


def identifier(value, pointer: str):
    """The id of a resource, in the form in which it is given."""
    if isinstance(value, str):
        controls = any(ord(one) < 32 or 127 <= ord(one) < 160 for one in value)
        if 1 <= len(value.encode()) <= 128 and "/" not in value and not controls:
            if value not in (".", ".."):
                return value
        raise invalid(pointer)
    return whole(value, pointer, 0)


def own_id(body: dict, assigned, pointer: str = ""):
    """The `id` of a body, or the one assigned where it has none."""
    if assigned is not None and body.get("id") is None:
        return assigned
    return identifier(required(body, "id", pointer), at(pointer, "id"))


def required(body: dict, name: str, pointer: str = ""):
    if name not in body:
        raise invalid(at(pointer, name))
    return body[name]


def kept(**named) -> dict:
    """An object without the members that are absent."""
    return {name: value for name, value in named.items() if value is not None}


def optional(body: dict, name: str, read, pointer: str = ""):
    """A member that may be absent or null."""
    if body.get(name) is None:
        return None
    return read(body[name], at(pointer, name))


DATE = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:T((?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:\.\d{1,9})?(Z|[+-]\d\d:\d\d))?",
    re.ASCII,
)


def moment(text: str) -> str | None:
    """An ISO 8601 date in UTC and to the second; None where the text is none."""
    found = DATE.fullmatch(text)
    if not found:
        return None
    day, time, offset = found.groups()
    try:
        date = datetime.fromisoformat(f"{day}T{time or '00:00:00'}").replace(tzinfo=timezone.utc)
        if offset and offset != "Z":
            shift = timedelta(hours=int(offset[1:3]), minutes=int(offset[4:]))
            date += shift if offset[0] == "-" else -shift
    except (ValueError, OverflowError):
        return None
    return f"{date.year:04}" + date.strftime("-%m-%dT%H:%M:%SZ")


def date(value, pointer: str) -> str:
    result = moment(string(value, pointer))
    if result is None:
        raise invalid(pointer)
    return result


MONTHS = (
    "January February March April May June July August September October November December"
).split()


def day(date: str) -> str:
    """The text of a date for people."""
    if moment(date) is None:
        return "a day"
    year, month, day = date[:10].split("-")
    return f"{int(day)} {MONTHS[int(month) - 1]} {int(year)}"


def counted(count: int, thing: str) -> str:
    """The text of a number of things for people."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"
