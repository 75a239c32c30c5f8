"""The rows of the screen `form`, as the OpenAPI document describes them."""

from form_fields import ROW_TYPES
from form_state import MOST_FIRMS, FormState, Row
from loading import action, error_row, failure
from lookups import Lookup, Paging
from shapes import day, kept


def content(state: FormState) -> dict:
    title = {"id": "form/title", "type": "formTitle", "text": state.form["title"]}
    title["action"] = action("Start over", type="reset")
    sections: list = [{"id": "form", "rows": [title]}]
    visible = state.visible()
    for section in state.sections:
        rows = []
        for row, depth in state.shown(section.rows, visible):
            place = {"depth": depth} if depth else {}
            rows += [{**shown, **place} for shown in rows_of(row)]
        if section.rows and not rows:
            continue
        head = kept(id=str(section.id), title=section.title)
        sections.append({**head, "rows": rows})
    sections.append({"id": "submission", "rows": submission_rows(state.submission)})
    sections.append({"id": "activity", "rows": activity_rows(state.activity)})
    lookups = {row.lookup.state for row in visible.values() if row.lookup.query is not None}
    states = [one for one in ("isLoading", "failed", "loaded") if one in lookups]
    return {
        "sections": sections,
        "states": {
            "activity": state.activity.state,
            "registry": states[0] if states else "notRequested",
            "submission": state.submission.state,
        },
    }


def tap(title: str, row: str) -> dict:
    return action(title, type="didTap", row=row)


def rows_of(row: Row) -> list:
    """A row, and those behind it."""
    shown: dict = {"id": row.id, "type": ROW_TYPES[row.kind]}
    if not row.is_field:
        shown["text"] = row.spec["text"]
    if row.kind == "button":
        shown["action"] = tap(row.spec["text"], row.id)
    if row.kind == "group":
        title = "Expand" if row.collapsed else "Collapse"
        shown["isCollapsed"] = row.collapsed
        shown["action"] = action(title, type="didSelect", row=row.id)
    if not row.is_field:
        return [shown]
    shown |= {"label": row.spec["label"], "required": row.spec.get("required", False)}
    shown |= {"value": row.value, "input": input_of(row.spec)}
    command = {"type": "didChange", "row": row.id}
    shown["change"] = {"argument": "value", "command": command}
    rows = [shown]
    if row.fault:
        fault: dict = {"id": f"{row.id}/error", "type": "fieldError", "field": row.id}
        rows.append({**fault, "code": row.fault[0], "text": row.fault[1]})
    return rows + lookup_rows(row)


def input_of(spec: dict) -> dict:
    kinds = {"phone": "tel", "date": "date", "dropdown": "select", "switch": "checkbox"}
    kind = kinds.get(spec["kind"], spec.get("inputType", "text"))
    names = ("placeholder", "maxLength", "min", "max", "options")
    options = {"options": []} if kind == "select" else {}
    return {"type": kind} | options | {name: spec[name] for name in names if name in spec}


def lookup_rows(row: Row) -> list:
    lookup = row.lookup
    place = f"{row.id}/loading"
    if lookup.state == "isLoading":
        text = f"Looking up {lookup.query}…"
        cancel = tap("Cancel", place)
        return [{"id": place, "type": "contentLoading", "text": text, "action": cancel}]
    place = f"{row.id}/failed"
    if lookup.state == "failed":
        failed: dict = {"id": place, "type": "contentError", **failure(lookup.code)}
        return [{**failed, "text": "Couldn't look up the number.", "action": tap("Retry", place)}]
    if lookup.state != "loaded":
        return []
    if not lookup.value:
        text = "No firm has this number."
        return [{"id": f"{row.id}/empty", "type": "contentEmpty", "text": text}]
    rows = []
    for company in lookup.value[:MOST_FIRMS]:
        place = f"{row.id}/company/{company['id']}"
        shown: dict = {"id": place, "type": "company"}
        shown |= {name: company[name] for name in ("name", "city", "taxNumber")}
        shown["detail"] = f"{company['city']} · {company['taxNumber']}"
        if "fills" in row.spec:
            shown["action"] = action("Use", type="didSelect", row=place)
        rows.append(shown)
    if len(lookup.value) > MOST_FIRMS:
        text = f"Only the first {MOST_FIRMS} firms are shown."
        rows.append({"id": f"{row.id}/more", "type": "moreCompanies", "text": text})
    return rows


def submission_rows(lookup: Lookup) -> list:
    kind, text, title, command = {
        "notRequested": ("", "", "", ""),
        "isLoading": ("contentLoading", "Sending…", "Cancel", "cancelSubmit"),
        "loaded": ("formNotice", "Sent. Thank you!", "Start over", "reset"),
        "failed": ("contentError", "Couldn't send the form.", "Retry", "submit"),
    }[lookup.state]
    if not kind:
        return []
    name = {"isLoading": "loading", "loaded": "sent"}.get(lookup.state, "failed")
    row = {"id": f"submission/{name}", "type": kind, "text": text}
    row["action"] = action(title, type=command)
    return [row if lookup.code is None else {**row, **failure(lookup.code)}]


def activity_rows(paging: Paging) -> list:
    title = "Load" if paging.state == "notRequested" else "Reload"
    head: dict = {"id": "activity/header", "type": "contentHeader", "text": "Activity"}
    rows = [{**head, "action": action(title, type="loadActivity")}]
    for entry in paging.shown or []:
        row = {"id": f"entry/{entry['id']}", "type": "activityEntry", "date": entry["date"]}
        rows.append({**row, "dateText": day(entry["date"]), "text": entry["text"]})
    count = len(paging.shown or [])
    progress: dict = {"id": "activity/progress", "type": "pageProgress"}
    if paging.state == "isLoading":
        cancel = action("Cancel", type="cancelPage")
        rows.append({**progress, "isLoading": True, "text": "Loading…", "action": cancel})
    elif paging.state == "failed":
        text = "Couldn't load activity."
        rows.append(error_row("activity", "contentError", paging.code, text, "retryPage"))
    elif paging.state == "loaded" and paging.end is not None:
        more = action("Load more", type="loadNextPage")
        text = f"{count:,} shown"
        rows.append({**progress, "isLoading": False, "text": text, "action": more})
    elif paging.state == "loaded" and count:
        text = f"That is all: {count} {'entry' if count == 1 else 'entries'}"
        rows.append({"id": "activity/end", "type": "pageEnd", "text": text})
    elif paging.state == "loaded":
        text = "No activity yet"
        rows.append({"id": "activity/empty", "type": "contentEmpty", "text": text})
    return rows
