public import CanonicalJSON
public import ViewState

/// The kinds of rows that the descriptions of a form can name.
///
/// ``standard`` has fields for texts, numbers, phone numbers, dates, choices, switches and pictures, and rows
/// without a value: headers, groups, buttons, links and the like. A screen adds kinds of fields by an
/// ``InputRule`` of its own:
///
/// ```swift
/// enum BankKinds: FormKindSet {
///   static let kinds = FormKinds.standard.adding(AccountNumberRule.self)
/// }
/// ```
public struct FormKinds: Sendable {
  /// A kind of rows, as descriptions name it.
  struct Kind: Sendable {
    let name: Text
    let members: [MemberSchema]
    /// The names of the members of its rows, of which each row that is read has no others.
    private(set) var memberNames: Set<Text> = []
    let rowType: RowTypeDescriptor
    /// The codes of what can be wrong with a value, beside ``FieldError/standardCodes``.
    let errorCodes: [Text]
    let read: @Sendable (JSONReader) throws(JSONShapeError) -> FormField
    /// The type of the content or of the rule.
    let type: Any.Type

    fileprivate init<Content: ShownRow>(_ type: Content.Type) {
      self.type = type
      name = Content.kind
      members = Content.memberSchemas
      rowType = Content.rowType.descriptor
      errorCodes = []
      read = { (reader) throws(JSONShapeError) in .shown(try Content(reader)) }
      memberNames = Set(FormRow.members(self).map(\.name))
    }

    fileprivate init<Rule: InputRule>(_ type: Rule.Type) {
      self.type = type
      name = Rule.kind
      members =
        InputField.Face.memberSchemas + Rule.memberSchemas + [
          ("default", Rule.initialSchema, false)
        ]
      rowType = Rule.rowType.descriptor
      errorCodes = Rule.errorCodes
      read = { (reader) throws(JSONShapeError) in
        .input(try InputField(reader, try Rule(reader)))
      }
      memberNames = Set(FormRow.members(self).map(\.name))
    }
  }

  private(set) var all: [Kind]
  /// The ids that rows and sections cannot have, because the screen itself uses them.
  private(set) var reservedIDs: Set<ResourceID> = []
  /// The codes of what a screen refuses.
  private var refusedCodes: [Text] = []
  /// Whether a field may have a default that it refuses, as in code and in records. Clients cannot describe such a field.
  private(set) var allowsWrongDefaults = false

  /// The kinds of the library.
  ///
  /// Each row has an `id` and a `kind`. It may have a `visibility` and a `weight`: rows are in the order of their
  /// weights. A field also has a `label`, and may have a `placeholder`, a `default`, `required`, and an `errorText`, which
  /// the error row shows for any wrong value. A `default` is what users enter: a text, also for a number or a date, a
  /// boolean for a switch, the id of an option for a choice, or null for none. The kinds, fields first, with the members
  /// that only they have:
  ///
  /// | kind | members | row |
  /// |---|---|---|
  /// | `text` | `inputType`, `characters`, `minLength`, `maxLength`, `min`, `max` | a line of text, or one of the types `email`, `url` and `number`; its characters are `letters`, `digits` or `lettersAndDigits` |
  /// | `phone` | `countryCode`, `minDigits`, `maxDigits` | a phone number |
  /// | `date` | `min`, `max` | a day |
  /// | `dropdown` | `options` | one of a list of objects with an `id` and a `title`; without `options`, one of those that the screen sets by ``FormFields/setOptions(_:of:)`` |
  /// | `switch` | | yes or no |
  /// | `avatar` | `cap` | the address of a picture |
  /// | `header` | `text` | a title |
  /// | `sectionHeader` | `label`, `placeholder` | the title of the section, which users change |
  /// | `info` | `label`, `text` | a fact with its name |
  /// | `link` | `text`, `detail`, `to` | leads to another screen, such as `settings/privacy` |
  /// | `offer` | `title`, `text`, `button`, `enters` | a button that enters a `value` into a `row` |
  /// | `splitter` | | a line between other rows |
  /// | `button` | `text`, `does` | a button that does `submit` or `reset` |
  /// | `group` | `text`, `collapsed`, `rows` | a row that hides and shows the rows in it |
  ///
  /// The `visibility` is `"visible"`, the default, `"hidden"`, or the condition that another row is shown and has a
  /// value, such as `["row": "abroad", "equals": true]`. The value of a choice is the id of the option.
  ///
  /// ``schemas`` has a JSON schema for each kind.
  public static let standard = FormKinds([
    Kind(Header.self), Kind(SectionHeader.self), Kind(Info.self), Kind(Link.self),
    Kind(Offer.self), Kind(Splitter.self), Kind(TextRule.self), Kind(PhoneRule.self),
    Kind(DateRule.self), Kind(DropdownRule.self), Kind(SwitchRule.self), Kind(AvatarRule.self),
    Kind(FormButton.self), Kind(Group.self),
  ])

  private init(_ all: [Kind]) { self.all = all }

  /// Returns these kinds and a kind of fields.
  ///
  /// - Precondition: No other kind has its name.
  public func adding(_ rule: (some InputRule).Type) -> FormKinds {
    let kind = Kind(rule)
    guard !all.contains(where: { $0.name == kind.name }) else {
      fatalError("two kinds are named \(kind.name)")
    }
    var kinds = self
    kinds.all.append(kind)
    return kinds
  }

  /// Returns these kinds for a screen that refuses values itself; see ``FormFields/refuse(_:_:)``.
  ///
  /// - Parameter codes: The codes of what can be wrong with such a value, for client developers.
  public func refusing(_ codes: Text...) -> FormKinds {
    var kinds = self
    kinds.refusedCodes += codes
    return kinds
  }

  /// Returns these kinds for a screen that also has sections and rows of its own.
  ///
  /// - Parameter ids: The ids that rows and sections of the form cannot have. For own rows such as `entry/7`, give
  ///   only the part before the slash.
  public func reserving(_ ids: ResourceID...) -> FormKinds {
    var kinds = self
    kinds.reservedIDs.formUnion(ids)
    return kinds
  }

  /// The codes of all that can be wrong with a value.
  var errorCodes: [Text] { FieldError.standardCodes + all.flatMap(\.errorCodes) + refusedCodes }
}

/// The kinds of the rows of a form, as a type, so that the recorded state of a screen can be read.
public protocol FormKindSet: Sendable {
  /// The kinds.
  static var kinds: FormKinds { get }
}

/// Only the kinds of the library.
public enum StandardKinds: FormKindSet {
  public static let kinds = FormKinds.standard
}

// MARK: - Descriptions

extension FormKinds {
  /// The type of the description of a form: a list of sections with their rows.
  public var outlineType: ValueType<FormOutline> {
    ValueType(
      schema: ["type": "array", "items": section.schema],
      read: { (json) throws(JSONShapeError) in try FormOutline(json, kinds: self) }, write: \.json
    ).defaulting(to: FormOutline())
  }

  /// The type of the description of a section.
  var section: ValueType<FormSection> {
    ValueType(
      schema: .objectSchema(
        [
          ("id", ValueType.descriptionID.schema, true),
          ("title", ValueType<Text>.label.schema, false),
          ("rows", ["type": "array", "items": FormRow.reference], false),
        ]),
      read: { (json) throws(JSONShapeError) in try FormSection(json, kinds: self) }, write: \.json)
  }

  /// The JSON schema of all rows, without the schema of rows beneath them.
  var rowSchema: JSONValue {
    ["oneOf": .array(all.map { .objectSchema(FormRow.members($0)) })]
  }

  /// The JSON schemas of descriptions and operations, by the names of components of an OpenAPI document:
  /// `FormRow`, `FormSection`, `FormOption` and `FormOperation`, and a component for each kind of rows and each
  /// operation. No two schemas are equal.
  public var schemas: [Text: JSONValue] {
    func alternatives(_ schema: JSONValue, _ names: [Text]) -> [Text: JSONValue] {
      guard case .object(let members) = schema, case .array(let schemas)? = members["oneOf"] else {
        return [:]
      }
      return Dictionary(zip(names, schemas)) { first, _ in first }
    }
    let operation = FormOperation.valueType(self).schema
    return alternatives(rowSchema, all.map { "Form\($0.name.capitalized)Description" })
      .merging(
        alternatives(operation, FormOperation.names.map { "Form\($0.capitalized)Operation" })
      ) { $1 }
      .merging([
        "FormRow": rowSchema, "FormSection": section.schema, "FormOperation": operation,
        "FormOption": DropdownRule.Option.valueType.schema,
      ]) { $1 }
  }

  /// The JSON schema of the ids of rows and sections in descriptions.
  public static let idSchema = ValueType<ResourceID>.descriptionID.schema

  /// The parts of ``schemas`` that become references to components: rows in a row refer to `FormRow`, and ids
  /// of rows and sections refer to `ResourceID`.
  public var references: [Text: JSONValue] {
    ["FormRow": FormRow.reference, "ResourceID": Self.idSchema]
  }

  /// Returns the outline that is described in code.
  ///
  /// A field may have a `default` that it refuses, such as one from a store, which takes more. Its error shows after a
  /// tap on submit.
  ///
  /// ```swift
  /// static let outline = FormKinds.standard.outline([
  ///   ["id": "you", "rows": [["id": "name", "kind": "text", "label": "Name", "required": true]]]
  /// ])
  /// ```
  ///
  /// - Precondition: ``outlineType`` can read the description without such defaults.
  public func outline(_ description: JSONValue) -> FormOutline {
    do throws(JSONShapeError) {
      return try reading(description)
    } catch {
      fatalError("the description of a form is wrong: \(error)")
    }
  }

  /// Reads the description of a form in code or in a record.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the first error.
  func reading(_ description: JSONValue) throws(JSONShapeError) -> FormOutline {
    var kinds = self
    kinds.allowsWrongDefaults = true
    return try FormOutline(JSONReader(["sections": description]).member("sections"), kinds: kinds)
  }
}
