import CanonicalJSON
public import Snapshots
import ViewState

extension FormScreen {
  /// The rows of the generators, section by section, between the title and what became of it all.
  public func assemble(
    _ state: FormState, rows: inout RowCache
  ) throws(SnapshotError) -> Snapshot {
    try Snapshot(states: state.sourceStates, reusing: rows.snapshot) {
      Section(id: "form", rows: [rows.formTitle(state.form.title)])
      for (section, shown) in zip(state.outline.sections, state.outline.shown) {
        Section(
          id: section.id.text, fields: section.fields,
          rows: shown.flatMap { $0.element.generator.rows(depth: $0.depth, &rows) })
      }
      Section(id: "submission", rows: rows.submission(state.submission.load.loadable))
      Section(id: "activity", rows: activity.rows(state.activity, &rows))
    }
  }
}

extension FormSection {
  fileprivate var fields: [Text: JSONValue] { title.map { ["title": .string($0)] } ?? [:] }
}

extension FormState {
  /// The states of the sources. Several rows may look something up; while one of them is loading,
  /// the registry is, and where none is, one that failed counts before one that did not. What a row
  /// looks up that is hidden now does not count, until it is shown again.
  var sourceStates: [Text: Text] {
    let visible = outline.visible
    let lookups = Set(
      outline.allRows.compactMap {
        visible.contains($0.row.id) ? $0.row.generator.lookupState : nil
      })
    let registry = ["isLoading", "failed", "loaded"].first(where: lookups.contains)
    return [
      FormSource.Name.activity.rawValue: Text(activity.paging.stateName),
      FormSource.Name.registry.rawValue: Text(registry ?? "notRequested"),
      FormSource.Name.submission.rawValue: Text(submission.load.loadable.stateName),
    ]
  }
}

extension RowCache {
  fileprivate mutating func formTitle(_ title: Text) -> Row {
    row("form/title", for: title) { title in
      Row(
        id: "form/title", type: "formTitle",
        fields: [
          "text": .string(title),
          "action": FormCommand.reset.descriptor.action(title: "Start over"),
        ])
    }
  }

  /// What became of sending the form.
  fileprivate mutating func submission(_ submission: Loadable<ResourceID>) -> [Row] {
    switch submission {
    case .notRequested: []
    case .isLoading:
      [
        submissionRow(
          "loading", type: "contentLoading", text: "Sending…", .cancelSubmit, title: "Cancel")
      ]
    case .loaded:
      [
        submissionRow(
          "sent", type: "formNotice", text: "Sent. Thank you!", .reset, title: "Start over")
      ]
    case .failed(let failure, _):
      [
        submissionRow(
          "failed", type: "contentError", text: "Couldn't send the form.", .submit, title: "Retry",
          code: failure.code)
      ]
    }
  }

  private mutating func submissionRow(
    _ name: Text, type: Text, text: Text, _ command: FormCommand, title: String,
    code: Text? = nil
  ) -> Row {
    let id: Text = "submission/\(name)"
    return row(id, for: code) { code in
      var fields: [Text: JSONValue] = [
        "text": .string(text), "action": command.descriptor.action(title: title),
      ]
      fields["code"] = code.map(JSONValue.string)
      return Row(id: id, type: type, fields: fields)
    }
  }
}
