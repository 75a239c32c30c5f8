"""What the screen `form` reads beside the forms: their entries, and the companies."""

from form_bodies import FormBodies
from form_fields import tax_number
from run import Run
from shapes import Refused, date, invalid, kept, members, optional, own_id, required, shown, string
from stores import Store, spoilt, twin_body


def without_place(read):
    """A reader whose refusals do not say where the fault is: descriptions have many places."""

    def reader(body, assigned, current):
        try:
            return read(body, assigned, current)
        except Refused as refusal:
            raise Refused(refusal.status, refusal.code) from None

    return reader


def read_entry(body, assigned, _) -> dict:
    members(body, "", {"id", "date", "text", "answers"})
    id = own_id(body, assigned)
    text = shown(required(body, "text"), "/text")
    answers = optional(body, "answers", members)
    when = date(required(body, "date"), "/date")
    return kept(id=id, text=text, answers=answers, date=when)


def read_company(body, assigned, _) -> dict:
    members(body, "", {"id", "taxNumber", "name", "city"})
    id = own_id(body, assigned)
    name = shown(required(body, "name"), "/name")
    city = shown(required(body, "city"), "/city")
    number = tax_number(string(required(body, "taxNumber"), "/taxNumber"))
    if number is None:
        raise invalid("/taxNumber")
    return {"id": id, "taxNumber": number, "name": name, "city": city}


class Companies:
    """The registry of firms, found by their tax numbers."""

    def __init__(self, run: Run, bodies: FormBodies):
        self.run, self.bodies = run, bodies
        self.store = Store(run, "/v1/companies", "unknown-company", read_company)
        for _ in range(run.pick([0, 2, 5])):
            company = read_company({**self.body(), "id": self.store.free()}, None, None)
            self.store.seed(company)

    def body(self) -> dict:
        number = self.run.pick(self.bodies.numbers)
        return {"taxNumber": number, "name": self.bodies.name(), "city": self.bodies.name()}

    def with_number(self, number: str) -> list:
        return [one for one in self.store.docs.values() if one["taxNumber"] == number]

    def step(self):
        run, store = self.run, self.store
        kind, id = run.number(0, 4), store.any()
        body = self.body()
        if run.chance(0.15):
            body = spoilt(run, body)
        if id is None or kind == 0:
            if run.chance(0.4):
                body["id"] = run.texts.other_id(id or "") or run.texts.id()
            store.create(body)
        elif kind == 1:
            store.delete(id)
        elif kind <= 3:
            body = (twin_body(run, store.docs[id]) or body) if run.chance(0.4) else body
            (store.replace if run.chance(0.5) else store.patch)(id, body)
        else:
            store.check(id)
            store.check_list()
