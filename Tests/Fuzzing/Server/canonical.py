"""Canonical JSON and the two hashes of a content, as the contract and the OpenAPI document have them.

Written from their text alone: nothing here is shared with the server.
"""

import base64
import hashlib
import json
import re

MODULUS, BASE = 2**61 - 1, 1425089352415399811
FNV_START, FNV_FACTOR, WORD = 0xCBF29CE484222325, 0x100000001B3, 2**64 - 1
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
# The library's encoder, which is quick, and right where there are no doubles.
ENCODER = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True
)
# What that writes for a double has one of these. So may a string.
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
POINT, EXPONENT = re.compile(r"\.[0-9]+(?![0-9\"])"), re.compile(r"e[+-][0-9]")


def number_text(value: float) -> str:
    """A double as ECMAScript writes it (ECMA-262, Number::toString)."""
    if value == int(value) and abs(value) <= 2**53:
        return str(int(value))
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent or 0)
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    digits = stripped.rstrip("0")
    if len(digits) <= point <= 21:
        return sign + digits + "0" * (point - len(digits))
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def text_of(value) -> str:
    """The canonical JSON of a value."""
    if isinstance(value, dict):
        members = sorted(value.items())  # By code points, which is the order of the bytes.
        return (
            "{" + ",".join(f"{text_of(name)}:{text_of(member)}" for name, member in members) + "}"
        )
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(map(text_of, value)) + "]"
    if isinstance(value, float):
        return number_text(value)
    return json.dumps(value, ensure_ascii=False)


def _has_doubles(text: str) -> bool:
    numbers = STRING.sub("", text)
    return "." in numbers or EXPONENT.search(numbers) is not None


def encoded(value) -> bytes:
    """The bytes of the canonical JSON of a value."""
    text = ENCODER.encode(value)
    # A look at the text is quicker than one at each value.
    if (POINT.search(text) or EXPONENT.search(text)) and _has_doubles(text):
        text = text_of(value)
    return text.encode()


def base36(number: int) -> str:
    text = ""
    while True:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
        if number == 0:
            return text


_hashes: dict[bytes, int] = {}


def fnv(value) -> int:
    """The 64-bit FNV-1a hash of the canonical JSON of a value."""
    data = encoded(value)
    known = _hashes.get(data)
    if known is not None:
        return known
    state = FNV_START
    for byte in data:
        state = (state ^ byte) * FNV_FACTOR & WORD
    if len(_hashes) > 200_000:
        _hashes.clear()
    _hashes[data] = state
    return state


def fold(hashes) -> str:
    state = 1
    for value in hashes:
        state = (state * BASE + value) % MODULUS
    return base36(state)


# By the SHA-256 of a content, since most are asked for several times.
_digests: dict[bytes, str] = {}


def digest(content: dict) -> str:
    """The digest of a content: of its `sections` and `states`."""
    name = _sha256(content)
    if name not in _digests:
        if len(_digests) > 200_000:
            _digests.clear()
        _digests[name] = _digest(content)
    return _digests[name]


def _digest(content: dict) -> str:
    sections = fold(
        fnv({**section, "rows": fold(map(fnv, section["rows"]))}) for section in content["sections"]
    )
    return base36(fnv({"sections": sections, "states": content["states"]}) % MODULUS)


def have(content: dict) -> str:
    """The SHA-256 of a content as clients name it in `have`."""
    return base64.urlsafe_b64encode(_sha256(content)).decode().rstrip("=")


def _sha256(content: dict) -> bytes:
    body = encoded({"sections": content["sections"], "states": content["states"]})
    return hashlib.sha256(body).digest()


def snapshot(screen: str, revision: str, content: dict) -> dict:
    """The document of a view model at a revision, whole or as seen through a window."""
    return {
        "kind": "snapshot",
        "screen": screen,
        "revision": revision,
        "rowCount": sum(len(section["rows"]) for section in content["sections"]),
        "digest": digest(content),
        **content,
    }
