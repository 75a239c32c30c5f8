public import CanonicalJSON
public import ViewState

/// What the form screen knows: the rows with what was entered into them, what is being sent, and
/// what has happened with the form.
public struct FormState: Codable, Equatable, Sendable {
  /// As it is described.
  public private(set) var form: Form
  /// The rows as users have filled them in and arranged them.
  public private(set) var outline: FormOutline
  /// The answers that were sent last, and the entry that they became.
  public internal(set) var submission = LookupState<JSONValue, ResourceID>()
  /// What has happened with the form, page by page.
  public internal(set) var activity = PagingState<ActivityEntry>()
  /// The token used last by anything that a row looks up or that is sent.
  var newestToken = LoadToken.none

  /// A form that nobody has filled in.
  public init(form: Form) {
    self.form = form
    outline = form.outline
  }
}

extension FormState {
  /// Arranges the rows anew.
  ///
  /// - Throws: `JSONShapeError` with a place from the list of operations on; nothing has changed
  ///   then.
  mutating func apply(
    _ operations: [FormOperation], limits: FormLimits
  ) throws(JSONShapeError) -> [Effect<FormSource>] {
    var arranged = outline
    try arranged.apply(operations, limits: limits)
    return arrange(arranged, isKeeping: true)
  }

  /// Takes over what a write made of the description. What was entered into rows that stay what they
  /// are is kept; how users had arranged them is not.
  mutating func replace(_ form: Form) -> [Effect<FormSource>] {
    self.form = form
    return arrange(form.outline, isKeeping: true)
  }

  /// Starts over.
  mutating func reset() -> [Effect<FormSource>] {
    arrange(form.outline, isKeeping: false) + reduceSubmission(.ask(nil))
  }

  /// Puts other rows in the place of these. A row with the id and the kind of one that was there is
  /// the same row; what other rows have started ends.
  private mutating func arrange(
    _ new: FormOutline, isKeeping: Bool
  ) -> [Effect<FormSource>] {
    var context = RowContext(newestToken: newestToken)
    var old = outline.byID(\.row.generator)
    var new = new
    if isKeeping {
      new.changeAll { generator in
        guard let previous = old[generator.id] else { return }
        if generator.isEqual(to: previous) || generator.adopt(any: previous, &context) {
          old[generator.id] = nil
        }
      }
    }
    // In an order that is the same in every run.
    for row in outline.allRows {
      old[row.row.id]?.release(&context)
    }
    outline = new
    newestToken = context.newestToken
    return context.effects
  }

  /// Lets something happen to one row, with what it wants of the form.
  mutating func change<Failure: Error>(
    _ row: ResourceID,
    _ change: (inout any RowGenerator, inout RowContext) throws(Failure) -> Void
  ) throws(Failure) -> [Effect<FormSource>] {
    guard let path = outline.path(of: row) else { return [] }
    var context = RowContext(newestToken: newestToken)
    var generator = outline[path].generator
    try change(&generator, &context)
    outline[path].generator = generator
    newestToken = context.newestToken
    return context.requests.reduce(context.effects) { $0 + perform($1) }
  }

  /// Changes every row.
  mutating func changeAll(_ change: (inout any RowGenerator) -> Void) {
    outline.changeAll(change)
  }

  private mutating func perform(_ request: RowContext.Request) -> [Effect<FormSource>] {
    switch request {
    case .submit: submit()
    case .reset: reset()
    case .fill(let row, let text): change(row) { $0.fill(text, &$1) }
    }
  }
}
