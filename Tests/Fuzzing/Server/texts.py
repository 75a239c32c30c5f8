"""Random texts and ids: of every script, and such as look alike and are not the same bytes."""

from random import Random

# Texts of one group are canonically equal (Unicode, UAX 15), and different bytes.
LOOK_ALIKES = [
    ("\u00e9", "e\u0301"),
    (";", "\u037e"),
    ("K", "\u212a"),
    ("\u00c5", "A\u030a", "\u212b"),
    ("\u03a9", "\u2126"),
    ("\uac00", "\u1100\u1161"),
    ("q\u0323\u0307", "q\u0307\u0323"),
    ("\u0958", "\u0915\u093c"),
    ("\u1ec7", "e\u0323\u0302", "\u00ea\u0323"),
]

SCRIPTS = [
    "a", "Z", "7", "straße", "Ελλάδα", "Київ", "مرحبا", "שָׁלוֹם", "สวัสดี", "ที่นี่", "हिन्दी", "日本語", "한국어", "ქართული",
    "👨\u200d👩\u200d👧\u200d👦", "🏳\ufe0f\u200d🌈", "🇩🇪", "👍🏽", "𝒳", "\U0010ffff", "\ufffd", "\ufeff",
    "\u0301\u0323", "\u200f", "\u202e", "\u2066", "\u200b", "\u2028", "\u00a0", "\u3000", "ﬁ", "İ", "ı", "ß",
]  # fmt: skip

# What paths, queries, pointers and quoting may trip over.
AWKWARD = [
    " ", "a b", "+", "%", "%2F", "%00", "?", "#", "&", "=", "a=b", "'", '"', "\\", "~", "~0", "~1", "...",
    ":", "@", "*", "{}", "[]", "<b>", "null", "-1", "1.5", "-", "$0",
]  # fmt: skip

CONTROLS = ["\n", "\t", "\x00", "\x1f", "\x7f", "\u0085"]

# Letters, digits and marks on which the tables of Unicode versions agree.
PLAIN = [
    "a",
    "b",
    "Z",
    "7",
    "é",
    "e\u0301",
    "\u0301",
    "ß",
    "Ж",
    "ع",
    "字",
    "한",
    "😀",
    "K",
    "\u212a",
    ";",
    "\u037e",
]


class Texts:
    """Draws texts for one episode; in ids, and in other texts, canonically equal ones or not."""

    def __init__(self, random: Random, equal_ids: bool, equal_texts: bool):
        self._random = random
        self.equal_ids, self.equal_texts = equal_ids, equal_texts

    def piece(self, equals: bool) -> str:
        kind = self._random.random()
        if kind < 0.35 and equals:
            return self._random.choice(self._random.choice(LOOK_ALIKES))
        return self._random.choice(SCRIPTS if kind < 0.75 else AWKWARD)

    def id(self):
        """An id as it may stand in a body: a number, or a text of 1 to 128 bytes."""
        kind = self._random.random()
        if kind < 0.3:
            return self._random.randrange(0, 200)
        if kind < 0.35:
            return self._random.choice(["x" * 128, "ß" * 64, "\U0010ffff" * 32])
        text = self.piece(self.equal_ids)
        while self._random.random() < 0.4:
            text += self.piece(self.equal_ids)
        return text if len(text.encode()) <= 128 else self.id()

    def bad_id(self):
        return self._random.choice(
            [
                "",
                ".",
                "..",
                "a/b",
                "a\n",
                "\u0085",
                "x" * 129,
                "ß" * 65,
                -1,
                1.5,
                None,
                True,
                [],
                {},
            ]
        )

    def text(self, most: int = 1000) -> str:
        """Any text of 1 to so many bytes."""
        if self._random.random() < 0.03:
            return self._random.choice(["x", "é", "😀"]) * (most // 4)
        text = self.piece(self.equal_texts)
        while self._random.random() < 0.6:
            is_control = self._random.random() < 0.1
            text += self._random.choice(CONTROLS) if is_control else self.piece(self.equal_texts)
        return text if len(text.encode()) <= most else "x"

    def link(self) -> str:
        """A URL or a path of the server; now and then neither."""
        if self._random.random() < 0.1:
            return self.text(200)
        starts = ["/", "//", "https://a.b/", "HTTP://a.b:8080?", "http://[::1]", "ftp://a.b/", "http:"]
        start = self._random.choice(starts + ["/", "https://a.b/"] * 10)
        return start + self.plain(0, 6)

    def plain(self, least: int = 0, most: int = 12) -> str:
        """A text of so many pieces that are not in dispute."""
        others = set() if self.equal_texts else {"e\u0301", "\u0301", "\u212a", "\u037e"}
        pieces = [one for one in PLAIN if one not in others]
        return "".join(self._random.choices(pieces, k=self._random.randint(least, most)))

    def twin(self, text: str) -> str | None:
        """A text that is canonically equal to this one and has other bytes."""
        return self._twin(text) if self.equal_texts else None

    def other_id(self, id: str) -> str | None:
        """An id that is canonically equal to this one and has other bytes."""
        return self._twin(id) if self.equal_ids else None

    def _twin(self, text: str) -> str | None:
        places = [
            (one, other)
            for group in LOOK_ALIKES
            for one in group
            for other in group
            if one != other and one in text
        ]
        if not places:
            return None
        one, other = self._random.choice(places)
        return text.replace(one, other, 1)
