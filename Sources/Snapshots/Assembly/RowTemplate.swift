package import CanonicalJSON

/// The members of all rows of one type, with their names sorted and encoded once, so that a row is written
/// without a table of its fields.
///
/// ```swift
/// let template = RowTemplate(type: "post", names: ["likes", "title"])
/// var row = template.begin("post/1")
/// row.add(3)
/// row.add("Hello")
/// row.end()  // {"id":"post/1","likes":3,"title":"Hello","type":"post"}
/// ```
package struct RowTemplate: Sendable {
  private enum Content: Sendable {
    case id, type, value
  }

  private let type: Text
  /// The members with their names as JSON, a colon behind each, in the order of the names.
  private let members: [(label: [UInt8], content: Content)]

  /// Creates a template.
  ///
  /// - Precondition: The names ascend, and none is `id` or `type`.
  package init(type: Text, names: [Text]) {
    self.type = type
    let named = names.map { ($0, Content.value) } + [("id", .id), ("type", .type)]
    members = named.sorted { $0.0 < $1.0 }.map { name, content in
      var writer = JSONWriter()
      writer.name(name)
      return (writer.bytes, content)
    }
  }

  /// Begins a row, to which the value of each name is added in their order.
  package func begin(_ id: Text) -> Writer { Writer(template: self, id: id) }

  /// A row that is being written.
  package struct Writer {
    private let template: RowTemplate
    private let id: Text
    private var json = JSONWriter(capacity: 512)
    /// The index of the next member.
    private var next = 0
    private var isFirst = true
    private var isWritable = true

    fileprivate init(template: RowTemplate, id: Text) {
      (self.template, self.id) = (template, id)
      json.raw(UInt8(ascii: "{"))
    }

    /// Adds the value of the next name; `nil` leaves its member out. A value that JSON does not carry makes a row
    /// that each snapshot refuses.
    package mutating func add(_ value: JSONValue?) {
      guard let value else {
        addOwnMembers()
        return next += 1
      }
      add(isWritable: value.isWritable) { $0.value(value) }
    }

    /// Adds the value of the next name as it is written, if JSON carries it.
    package mutating func add(isWritable: Bool, _ write: (inout JSONWriter) -> Void) {
      addOwnMembers()
      defer { next += 1 }
      guard isWritable else { return self.isWritable = false }
      name()
      write(&json)
    }

    /// Ends the row after the last value.
    ///
    /// - Complexity: O(*n*), where *n* is the number of bytes of the row.
    package mutating func end() -> Row {
      addOwnMembers()
      json.raw(UInt8(ascii: "}"))
      // A copy has no room behind its end.
      let encoded = isWritable ? json.bytes.withUnsafeBufferPointer { Array($0) } : []
      return Row(id: id, type: template.type, encoded: encoded)
    }

    /// Adds the id and the type if their names come before that of the next value.
    private mutating func addOwnMembers() {
      while next < template.members.count, template.members[next].content != .value {
        name()
        json.string(template.members[next].content == .id ? id : template.type)
        next += 1
      }
    }

    private mutating func name() {
      json.separate(&isFirst)
      json.raw(template.members[next].label)
    }
  }
}
