import CanonicalJSON
import Snapshots
import ViewState

extension PagingChild where Item == ActivityEntry {
  /// What has happened with the form that a screen's key names, the newest first.
  static func activity() -> PagingChild {
    let load = CommandDescriptor(
      type: "loadActivity",
      summary: "Loads the first page of the activity, in place of what is shown. Ignored while a "
        + "page is being loaded.")
    return PagingChild(
      source: FormSource.Name.activity.rawValue,
      load: load,
      loadNext: CommandDescriptor(
        type: "loadNextPage",
        summary: "Loads the page that follows what is shown. Ignored while a page is being loaded, "
          + "at the end, and after a failure until somebody asks again."),
      retry: CommandDescriptor(
        type: "retryPage",
        summary: "Asks once more for the page that did not come. Ignored where none failed."),
      cancel: CommandDescriptor(
        type: "cancelPage",
        summary: "Calls the load of a page off. Ignored where none is being loaded."),
      look: PagingLook(
        lead: { isRequested, rows in
          [rows.activityHeader(load.action(title: isRequested ? "Reload" : "Load"))]
        },
        item: { entry, rows in rows.activityEntry(entry) },
        empty: "No activity yet", failure: "Couldn't load activity.",
        end: { "That is all: \($0) \($0 == 1 ? "entry" : "entries")" }),
      sample: ActivityEntry(
        id: ResourceID(1), date: Timestamp(secondsSince1970: 0), text: "Sent", answers: nil))
  }
}

extension RowCache {
  fileprivate mutating func activityHeader(_ action: JSONValue) -> Row {
    row("activity/header", for: action) {
      Row(
        id: "activity/header", type: "contentHeader", fields: ["text": "Activity", "action": $0])
    }
  }

  fileprivate mutating func activityEntry(_ entry: ActivityEntry) -> Row {
    let id: Text = "entry/\(entry.id)"
    return row(id, for: entry) { entry in
      Row(
        id: id, type: "activityEntry",
        fields: ["text": .string(entry.text), "date": .string(entry.date.description)])
    }
  }
}
