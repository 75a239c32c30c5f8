"""What the fields of a form make of a value: whether it is right, and how it is laid out.

A field is the description of a row as the REST resource has it. Lengths are those in code points.
"""

import math
import re
import unicodedata
from datetime import date
from decimal import Decimal

from shapes import boolean, invalid, is_link, string

TEXTS = {"text", "phone", "date", "taxNumber"}
FIELDS = TEXTS | {"dropdown", "switch"}
ROW_TYPES = {
    "header": "formHeader",
    "text": "textField",
    "phone": "phoneField",
    "date": "dateField",
    "dropdown": "dropdownField",
    "switch": "switchField",
    "taxNumber": "taxNumberField",
    "button": "formButton",
    "group": "formGroup",
}


def empty(field: dict):
    """The value of a field that nobody has filled in."""
    return {"dropdown": None, "switch": False}.get(field["kind"], "")


def initial(field: dict):
    return field.get("default", empty(field))


def read(field: dict, value, pointer: str):
    """A value that a client sends; raises `Refused` for what no field of the kind can hold."""
    if field["kind"] == "switch":
        return boolean(value, pointer)
    if field["kind"] == "dropdown":
        if value is None:
            return None
        if string(value, pointer) not in [option["id"] for option in field.get("options", [])]:
            raise invalid(pointer)
        return value
    if len(string(value, pointer).encode()) > 8000:
        raise invalid(pointer)
    return value


def is_empty(field: dict, value) -> bool:
    return not value.strip() if field["kind"] in TEXTS else value in (None, False)


def judged(field: dict, value) -> tuple[str, str] | None:
    """The code and the words of what is wrong with a value."""
    if is_empty(field, value):
        fault = ("required", "This is needed.") if field.get("required") else None
    else:
        fault = JUDGES[field["kind"]](field, value) if field["kind"] in TEXTS else None
    return (fault[0], field.get("errorText", fault[1])) if fault else None


def laid_out(field: dict, value):
    """A value as the row has it: a wrong one as it was entered."""
    if field["kind"] not in TEXTS or judged(field, value):
        return value
    if field["kind"] == "phone":
        digits = phone_digits(field, value)
        return f"+{digits}" if digits else value
    if field["kind"] == "taxNumber":
        return tax_number(value) or value
    return value.strip()


def submitted(field: dict, value):
    """A right value as the form sends it: a number as a number, and null for an empty value other than a plain text."""
    is_plain = field["kind"] == "text" and field.get("inputType", "text") == "text"
    if field["kind"] in TEXTS and not is_plain and is_empty(field, value):
        return None
    if field.get("inputType") != "number":
        return value
    number = read_number(value.strip())
    return int(number) if number is not None and number == int(number) else number


def can_answer(field: dict, value) -> bool:
    """Whether a field could ever have this value."""
    try:
        read(field, value, "")
    except Exception:
        return False
    return laid_out(field, value) == value


# Texts


def judge_text(field: dict, value: str) -> tuple[str, str] | None:
    text = value.strip()
    length = len(text)
    least, most = field.get("minLength"), field.get("maxLength", 1000)
    if least is not None and length < least:
        return "too-short", f"At least {least} characters are needed."
    if length > most:
        return "too-long", f"At most {most} characters fit."
    if any(unicodedata.category(one) == "Cc" for one in text):
        return "wrong-characters", "Control characters do not fit here."
    return judge_characters(field.get("characters"), text) or judge_input(field, text)


def is_of_letters(text: str, others) -> bool:
    """Whether a text is of letters, each with its marks, and of what else is right."""
    after_letter = False
    for one in text:
        if after_letter and unicodedata.category(one).startswith("M"):
            continue
        after_letter = unicodedata.category(one).startswith("L")
        if not after_letter and not others(one):
            return False
    return True


def judge_characters(kind: str | None, text: str) -> tuple[str, str] | None:
    if kind == "letters" and not is_of_letters(text, lambda one: one in " -'’"):
        return "wrong-characters", "Only letters fit here."
    if kind == "digits" and not re.fullmatch("[0-9]*", text):
        return "wrong-characters", "Only digits fit here."
    if kind == "lettersAndDigits":
        if not is_of_letters(text, lambda one: one in "0123456789"):
            return "wrong-characters", "Only letters and digits fit here."
    return None


def judge_input(field: dict, text: str) -> tuple[str, str] | None:
    kind = field.get("inputType", "text")
    if kind == "email" and not is_mail_address(text):
        return "invalid-email", "That is not an e-mail address."
    if kind == "url" and not is_link(text, False):
        return "invalid-url", "That is not an address on the web."
    if kind != "number":
        return None
    number = read_number(text)
    if number is None:
        return "invalid-number", "That is not a number."
    least, most = field.get("min", -math.inf), field.get("max", math.inf)
    if number < least:
        return "too-small", f"The number must be {number_words(least)} or more."
    if number > most:
        return "too-large", f"The number must be {number_words(most)} or less."
    return None


def read_number(text: str) -> float | None:
    """The number that people write in English; with the separators of German if it is none in English."""
    for point, comma in ((r"\.", ","), (",", r"\.")):
        whole = rf"[0-9]+|[0-9]{{1,3}}(?:{comma}[0-9]{{3}})+"
        parts = re.fullmatch(rf"([+-]?)({whole})(?:{point}([0-9]+))?", text)
        if parts:
            digits = re.sub(comma, "", parts[2]) + "." + (parts[3] or "0")
            number = float(digits)
            if number > 2**53 or Decimal(repr(number)) != Decimal(digits):
                return None
            return -number if parts[1] == "-" and number else number
    return None


def number_words(number) -> str:
    whole, _, fraction = format(Decimal(repr(number)), "f").partition(".")
    fraction = fraction.rstrip("0")
    return f"{int(whole):,}" + ("." + fraction if fraction else "")


def is_host(text: str) -> bool:
    names = text.split(".")
    return len(names) >= 2 and all(
        name.strip("-") == name != ""
        and is_of_letters(name, lambda one: one == "-" or unicodedata.category(one)[0] == "N")
        for name in names
    )


def is_mail_address(text: str) -> bool:
    name, at, host = text.partition("@")
    spaces = any(one.isspace() for one in text)
    return (
        bool(at and name)
        and "@" not in host
        and not spaces
        and (len(text.encode()) <= 254 and is_host(host))
    )


# Numbers of phones and firms, and dates


def phone_digits(field: dict, value: str) -> str | None:
    text = "".join(one for one in value if one not in " ()-./\u00a0")
    if text.startswith("+"):
        text = text[1:]
    elif text.startswith("00"):
        text = text[2:]
    elif text.startswith("0") and "countryCode" in field:
        text = field["countryCode"] + text[1:]
    else:
        return None
    return text if re.fullmatch("[1-9][0-9]*", text) else None


def judge_phone(field: dict, value: str) -> tuple[str, str] | None:
    digits = phone_digits(field, value)
    if digits is None:
        if "countryCode" in field:
            return "invalid-phone", "That is no phone number."
        return "invalid-phone", "Write the number with its country, such as +49 30 901820."
    least, most = field.get("minDigits", 8), field.get("maxDigits", 15)
    if len(digits) < least:
        return "too-short", f"A number has at least {least} digits."
    if len(digits) > most:
        return "too-long", f"A number has at most {most} digits."
    return None


def is_date(text: str) -> bool:
    if not re.fullmatch("[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        return False
    try:
        date.fromisoformat(text)
        return True
    except ValueError:
        return False


def judge_date(field: dict, value: str) -> tuple[str, str] | None:
    text = value.strip()
    if not is_date(text):
        return "invalid-date", "That is no date: write it as 2026-02-28."
    if text < field.get("min", text):
        return "too-early", f"The date must be {field['min']} or later."
    if text > field.get("max", text):
        return "too-late", f"The date must be {field['max']} or earlier."
    return None


def compact(value: str) -> str:
    return "".join(one for one in value if one not in " .-\u00a0").upper()


def check_digit(digits: str) -> int:
    """That of ISO/IEC 7064 MOD 11,10."""
    product = 10
    for digit in digits:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return (11 - product) % 10


def tax_number(value: str) -> str | None:
    text = compact(value)
    right = re.fullmatch("DE[1-9][0-9]{8}", text) and check_digit(text[2:10]) == int(text[10])
    return text if right else None


def judge_tax_number(_, value: str) -> tuple[str, str] | None:
    if not re.fullmatch("DE[1-9][0-9]{8}", compact(value)):
        return "invalid-tax-number", "A tax number is DE and nine digits."
    if tax_number(value) is None:
        return "wrong-check-digit", "There is a slip in the number: check its digits."
    return None


JUDGES = {
    "text": judge_text,
    "phone": judge_phone,
    "date": judge_date,
    "taxNumber": judge_tax_number,
}
