public import CanonicalJSON
public import Snapshots

/// How a part of a screen looks that is loaded from one source.
public struct LoadingLook<Value: Sendable>: Sendable {
  /// The rows where there is no value to show: before the first load, and during one.
  public typealias Placeholder =
    @Sendable (_ isLoading: Bool, _ rows: inout RowCache) -> [RowPart]
  /// The rows of a value, which may be being loaded again.
  public typealias Content =
    @Sendable (_ value: Value, _ isLoading: Bool, _ rows: inout RowCache) -> [RowPart]

  /// What stands before all else in every state.
  let lead: @Sendable (_ rows: inout RowCache) -> [RowPart]
  let placeholder: Placeholder
  let content: Content
  /// The type and the text of the row that stands for a failure.
  let error: (type: Text, text: String)

  /// Declares the rows; that of a failure has the stable code of the failure, and an action that
  /// loads again.
  public init(
    error: (type: Text, text: String),
    @ListBuilder<RowPart> lead: @escaping @Sendable (_ rows: inout RowCache) -> [RowPart] = {
      _ in []
    },
    @ListBuilder<RowPart> placeholder: @escaping Placeholder,
    @ListBuilder<RowPart> content: @escaping Content
  ) {
    self.error = error
    self.lead = lead
    self.placeholder = placeholder
    self.content = content
  }
}

extension LoadingChild {
  /// The rows of a state: the lead; then what is going on, or went wrong; and the value, where the
  /// policy lets it be shown.
  @ListBuilder<RowPart>
  public func rows(_ state: LoadState<Value>, _ rows: inout RowCache) -> [RowPart] {
    look.lead(&rows)
    let shown = state.loadable.shown(under: policy)
    switch state.loadable {
    case .notRequested:
      look.placeholder(false, &rows)
    case .isLoading:
      if let shown { look.content(shown, true, &rows) } else { look.placeholder(true, &rows) }
    case .loaded(let value):
      look.content(value, false, &rows)
    case .failed(let failure, _):
      errorRow(failure, &rows)
      if let shown { look.content(shown, false, &rows) }
    }
  }

  private func errorRow(_ failure: LoadFailure, _ rows: inout RowCache) -> Row {
    let id: Text = "\(source)/error"
    return rows.row(id, for: failure) { failure in
      Row(
        id: id, type: look.error.type,
        fields: [
          "code": .string(failure.code), "text": .string(look.error.text),
          "action": load.action(title: "Retry"),
        ])
    }
  }
}
