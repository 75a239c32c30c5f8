import CanonicalJSON
import Snapshots
import ViewState

/// Describes a field for a tax number. A right one is looked up in the registry, and the firms that
/// have it are rows behind the field; choosing one enters its name and city into other fields.
struct TaxNumberGenerator: TextFieldGenerator {
  static let kind: Text = "taxNumber"
  static let rowType: Text = "taxNumberField"
  static let schema: [Text: JSONValue] = FieldFace.schema.merging([
    "default": ["type": "string"],
    "fills": [
      "type": "object", "additionalProperties": false,
      "properties": [
        "name": ["type": ["integer", "string"]], "city": ["type": ["integer", "string"]],
      ],
      "description": "The rows that the name and the city of a firm are entered into.",
    ],
  ]) { $1 }
  static let required: [Text] = ["label"]
  static let codes: [FieldFault.Code] = [.required, .invalidTaxNumber, .wrongCheckDigit]

  var frame: RowFrame
  let face: FieldFace
  /// The rows that are filled in, by what of a firm they are filled with.
  let fills: [Text: ResourceID]
  private(set) var initial: Text = ""
  var entry = FieldEntry<Text>(value: "")
  private(set) var lookup = LookupState<TaxNumber, [Company]>()

  init(_ reader: JSONReader, frame: RowFrame) throws(JSONShapeError) {
    self.frame = frame
    face = try FieldFace(reader)
    fills = try reader.nullableMember("fills")?.fills() ?? [:]
    initial = try readDefault(reader) ?? ""
    entry.value = initial
  }

  var configuration: [Text: JSONValue] {
    configuration(fills.isEmpty ? [:] : ["fills": .object(fills.mapValues(\.json))])
  }

  var references: [(place: [Text], id: ResourceID)] {
    fills.sorted { $0.key < $1.key }.map { (["fills", $0.key], $0.value) }
  }

  var input: [Text: JSONValue] { ["type": "text"] }

  func formatted(_ value: Text) -> Text { (try? TaxNumber(parsing: value))?.text ?? value }

  func fault(of value: Text) -> FieldFault? {
    do throws(TaxNumber.Fault) {
      _ = try TaxNumber(parsing: value)
      return nil
    } catch {
      switch error {
      case .form:
        return FieldFault(.invalidTaxNumber, "A tax number is DE and nine digits.")
      case .checkDigit:
        return FieldFault(.wrongCheckDigit, "There is a slip in the number: check its digits.")
      }
    }
  }

  mutating func valueChanged(_ context: inout RowContext) {
    reduce(.ask(try? TaxNumber(parsing: entry.value)), &context)
  }

  mutating func didSelect(part: Text, _ context: inout RowContext) throws(RowEventFault) {
    guard let company = lookup.load.loadable.value?.first(where: { self.part(of: $0) == part })
    else { throw .noSuchEvent }
    for (name, row) in fills.sorted(by: { $0.key < $1.key }) {
      context.requests.append(.fill(row, name == "name" ? company.name : company.city))
    }
  }

  mutating func didTap(part: Text, _ context: inout RowContext) throws(RowEventFault) {
    switch (part, lookup.load.loadable) {
    case ("loading", .isLoading): reduce(.cancel, &context)
    case ("failed", .failed): reduce(.retry, &context)
    default: throw .noSuchEvent
    }
  }

  mutating func reduce(
    _ action: LookupAction<TaxNumber, [Company]>, _ context: inout RowContext
  ) {
    let row = id
    context.effects += lookup.reduce(action, newest: &context.newestToken) {
      .registry(row: row, number: $0)
    }
  }

  /// The look-up goes on where the number is the same.
  mutating func adopt(_ old: TaxNumberGenerator, _ context: inout RowContext) {
    lookup = old.lookup
    guard old.entry.isTouched else { return }
    let (value, fault) = (old.entry.value, judge(old.entry.value))
    entry = FieldEntry(value: laidOut(value, fault), fault: fault, isTouched: true)
  }

  mutating func release(_ context: inout RowContext) { reduce(.ask(nil), &context) }

  private enum StateKey: CodingKey {
    case entry
    case lookup
  }

  func encodeState(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: StateKey.self)
    try container.encode(entryJSON(), forKey: .entry)
    try container.encode(lookup, forKey: .lookup)
  }

  mutating func decodeState(from decoder: any Decoder) throws {
    let reader = try JSONReader(from: decoder)
    try readEntry(reader.member("entry"))
    lookup = try reader.member("lookup").decode(LookupState<TaxNumber, [Company]>.self)
  }

  var lookupState: String? { lookup.query == nil ? nil : lookup.load.loadable.stateName }
}

extension FieldFault.Code {
  static let invalidTaxNumber = Self(rawValue: "invalid-tax-number")
  static let wrongCheckDigit = Self(rawValue: "wrong-check-digit")
}

extension JSONReader {
  fileprivate func fills() throws(JSONShapeError) -> [Text: ResourceID] {
    try rejectUnknownMembers(allowed: ["name", "city"])
    var fills: [Text: ResourceID] = [:]
    for name in try memberNames { fills[name] = try ResourceID(member(name)) }
    return fills
  }
}
