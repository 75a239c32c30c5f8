package import CanonicalJSON

/// The members of all rows of one type, with their names sorted and encoded once, so that a row is written
/// without a table of its fields.
///
/// ```swift
/// let template = RowTemplate(type: "post", names: ["likes", "title"])
/// template.row("post/1") { row in
///   row.add(3)
///   row.add("Hello")
/// }  // {"id":"post/1","likes":3,"title":"Hello","type":"post"}
/// ```
package final class RowTemplate: Sendable {
  private let type: Text
  /// The places of the values, in the order of the names, and one behind the last.
  private let places: [Place]
  /// The JSON of rows beside the id and the values, with a comma before each name.
  private let literals: [UInt8]

  /// What is written before a value, as parts of ``literals`` that follow each other.
  fileprivate struct Place {
    /// The part that is always written: the own members of the row that come between the value before and this one.
    var own: Range<Int>
    /// The end of the part behind which the id is written; `nil` if the id is not one of these members.
    var id: Int?
    /// The end of the name of the value, which begins where `own` ends.
    var end: Int
  }

  /// Creates a template.
  ///
  /// - Precondition: The names ascend, and none is `id` or `type`.
  package init(type: Text, names: [Text]) {
    self.type = type
    var writer = JSONWriter()
    var places: [Place] = []
    var place = Place(own: 0..<0, end: 0)
    for name in (names + ["id", "type"]).sorted() {
      writer.raw(UInt8(ascii: ","))
      writer.name(name)
      switch name {
      case "id": place.id = writer.count
      case "type": writer.string(type)
      default:
        place.end = writer.count
        places.append(place)
        place = Place(own: writer.count..<writer.count, end: writer.count)
        continue
      }
      place.own = place.own.lowerBound..<writer.count
    }
    self.places = places + [place]
    literals = writer.bytes
  }

  /// Makes a row.
  ///
  /// - Parameter add: Adds the value of each name, in their order.
  /// - Complexity: O(*n*), where *n* is the number of bytes of the row.
  package func row(_ id: Text, _ add: (inout Writer) -> Void) -> Row {
    let encoded = places.withUnsafeBufferPointer { places in
      literals.withUnsafeBufferPointer { literals in
        JSONWriter.bytes { json in
          var writer = Writer(id: id, places: places, literals: literals, json: json)
          add(&writer)
          return writer.end()
        }
      }
    }
    return Row(id: id, type: type, encoded: encoded)
  }

  /// A row that is being written.
  ///
  /// It has pointers into the arrays of the template, because it would retain them for each value. It cannot be copied,
  /// so it ends before they do: with the call that has them.
  package struct Writer: ~Copyable {
    private let id: Text
    private let places: UnsafeBufferPointer<Place>
    private let literals: UnsafeBufferPointer<UInt8>
    private var json: JSONWriter
    /// The index of the next value.
    private var next = 0
    private var isWritable = true

    fileprivate init(
      id: Text, places: UnsafeBufferPointer<Place>, literals: UnsafeBufferPointer<UInt8>,
      json: consuming JSONWriter
    ) {
      (self.id, self.places, self.literals) = (id, places, literals)
      self.json = json
      self.json.raw(UInt8(ascii: "{"))
    }

    /// Adds the value of the next name; `nil` leaves its member out. A value that JSON cannot represent makes a row
    /// that each snapshot refuses.
    ///
    /// - Precondition: There is a next name.
    package mutating func add(_ value: JSONValue?) {
      begin(isPresent: value != nil)
      if let value, !json.writableValue(value) { isWritable = false }
    }

    /// Adds the value of the next name as it is written, if JSON carries it.
    ///
    /// - Precondition: There is a next name.
    package mutating func add(isWritable: Bool, _ write: (inout JSONWriter) -> Void) {
      begin(isPresent: isWritable)
      if isWritable { write(&json) } else { self.isWritable = false }
    }

    /// Ends the row after the last value, and returns its JSON; nothing if JSON cannot represent it.
    fileprivate mutating func end() -> [UInt8] {
      precondition(next == places.count - 1, "a row has a value for each name")
      begin(isPresent: false)
      json.raw(UInt8(ascii: "}"))
      return isWritable ? json.bytes : []
    }

    /// Writes what comes before the next value.
    private mutating func begin(isPresent: Bool) {
      precondition(next < places.count, "a row has a value for each name")
      let place = places[next]
      var start = place.own.lowerBound
      if let end = place.id {
        literal(start..<end)
        json.string(id)
        start = end
      }
      literal(start..<(isPresent ? place.end : place.own.upperBound))
      next += 1
    }

    private mutating func literal(_ range: Range<Int>) {
      if range.isEmpty { return }
      // The first name has no comma before it.
      let start = json.count == 1 ? range.lowerBound + 1 : range.lowerBound
      json.raw(UnsafeBufferPointer(rebasing: literals[start..<range.upperBound]))
    }
  }
}
