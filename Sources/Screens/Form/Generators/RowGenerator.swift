import CanonicalJSON
import Snapshots
import ViewState

/// Describes one row of a form: it owns what the row is made from, how it is laid out, its state
/// and its events. A form is assembled by asking generators for rows, whatever their kind.
///
/// A new kind is a new file with such a type, and its line in `RowKinds`. The idea of generators is
/// ReactiveDataDisplayManager's; there they fill cells on the client.
protocol RowGenerator: Equatable, Sendable {
  /// What the kind is called in the description of a form.
  static var kind: Text { get }
  /// The members of a description beside those of the frame, each with its JSON schema.
  static var schema: [Text: JSONValue] { get }
  /// The members that must be there.
  static var required: [Text] { get }
  /// The codes that the error rows of this kind can have.
  static var codes: [FieldFault.Code] { get }
  /// Whether rows may stand beneath one of this kind.
  static var holdsRows: Bool { get }
  /// Whether other rows may enter texts into one of this kind.
  static var takesTexts: Bool { get }

  /// What every row has.
  var frame: RowFrame { get set }

  /// Reads a row in its initial state. That there are no unknown members has been checked.
  ///
  /// - Throws: `JSONShapeError` for a missing or wrong member.
  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError)

  /// The members of the description, without those of the frame.
  var configuration: [Text: JSONValue] { get }
  /// The rows that this one enters texts into, each with the place of its name.
  var references: [(place: [Text], id: ResourceID)] { get }
  /// The value that the row stands for: what others compare, and what is submitted; `nil` where it
  /// stands for none.
  var answer: JSONValue? { get }
  /// Whether it could ever stand for this value.
  func canAnswer(_ value: JSONValue) -> Bool
  /// Whether it stands for a value that was given, by its description or by anybody.
  var isFilled: Bool { get }
  /// Whether what the user entered may be submitted.
  var isValid: Bool { get }
  /// Whether the rows beneath it are folded away.
  var isCollapsed: Bool { get }
  /// How far what it looks up is; `nil` where it looks nothing up.
  var lookupState: String? { get }

  /// The row and those that belong directly behind it. The ids of the latter begin with its own and
  /// a slash.
  func rows(depth: Int, _ rows: inout RowCache) -> [Row]

  /// Somebody entered a value.
  mutating func didChange(
    _ value: JSONReader, _ context: inout RowContext
  ) throws(RowEventFault)
  /// Somebody chose the row, or the one of those behind it that `part` names.
  mutating func didSelect(part: Text, _ context: inout RowContext) throws(RowEventFault)
  /// Somebody tapped on the row, or on the one of those behind it that `part` names.
  mutating func didTap(part: Text, _ context: inout RowContext) throws(RowEventFault)
  /// Another row enters a text into this one.
  mutating func fill(_ text: Text, _ context: inout RowContext)
  /// The form is about to be submitted: a wrong value has to be said to be wrong.
  mutating func validate()
  /// The row is needed unfolded.
  mutating func expand()
  /// Something happened to what the row looks up.
  mutating func reduce(
    _ action: LookupAction<TaxNumber, [Company]>, _ context: inout RowContext)

  /// Takes over what the user did with the row whose place it takes.
  mutating func adopt(_ old: Self, _ context: inout RowContext)
  /// The row goes: what it started has to end.
  mutating func release(_ context: inout RowContext)

  /// Writes what became of the row since it was read from its description.
  func encodeState(to encoder: any Encoder) throws
  /// Takes over what `encodeState(to:)` has written of a row with the same description.
  mutating func decodeState(from decoder: any Decoder) throws
}

/// What a kind does where it says nothing else: it is a row without value and events.
extension RowGenerator {
  static var codes: [FieldFault.Code] { [] }
  static var holdsRows: Bool { false }
  static var takesTexts: Bool { false }

  var references: [(place: [Text], id: ResourceID)] { [] }
  var answer: JSONValue? { nil }
  var isFilled: Bool { false }
  var isValid: Bool { true }
  var isCollapsed: Bool { false }
  var lookupState: String? { nil }

  func canAnswer(_: JSONValue) -> Bool { false }
  func didChange(_: JSONReader, _: inout RowContext) throws(RowEventFault) {
    throw .noSuchEvent
  }
  func didSelect(part: Text, _: inout RowContext) throws(RowEventFault) {
    throw .noSuchEvent
  }
  func didTap(part: Text, _: inout RowContext) throws(RowEventFault) {
    throw .noSuchEvent
  }
  func fill(_: Text, _: inout RowContext) {}
  func validate() {}
  func expand() {}
  func reduce(_: LookupAction<TaxNumber, [Company]>, _: inout RowContext) {}
  func adopt(_: Self, _: inout RowContext) {}
  func release(_: inout RowContext) {}
  func encodeState(to _: any Encoder) throws {}
  func decodeState(from _: any Decoder) throws {}
}
