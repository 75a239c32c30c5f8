import CanonicalJSON
import Snapshots
import TestSupport
import Testing

/// Snapshots in short notation, for the tests of operations.
enum OperationFixture {
  /// Returns the snapshot of a text such as `a: 1 2=x | b: 3!q`: section "a" has the rows "1" and
  /// "2", the latter with the text "x"; the row "3" of section "b" has the type "q".
  static func snapshot(_ text: String) -> Snapshot {
    do {
      return try Snapshot(
        sections: text.split(separator: "|").map { part in
          let words = part.split(separator: " ")
          return Section(
            id: Text(words[0].dropLast()), rows: words.dropFirst().map { row(String($0)) })
        })
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns the row of a text such as `1`, `1=x` or `1!q`.
  static func row(_ text: String) -> Row {
    let typed = text.split(separator: "!")
    let valued = typed[0].split(separator: "=")
    return Row(
      id: Text(valued[0]), type: typed.count > 1 ? Text(typed[1]) : "p",
      fields: valued.count > 1 ? ["text": .string(String(valued[1]))] : [:])
  }

  /// Performs an operation and compares the result. A refused one must change nothing.
  static func check(
    _ edit: (inout Snapshot) throws -> Void, on start: Snapshot,
    leadTo expected: Result<String, SnapshotOperationError>
  ) throws {
    var edited = start
    switch expected {
    case .success(let text):
      try edit(&edited)
      #expect(edited.digest == snapshot(text).digest)
    case .failure(let error):
      #expect(throws: error) { try edit(&edited) }
      #expect(edited == start)
    }
    try SnapshotValidator.validate(edited)
    _ = try edited.provenDifference(from: start)
  }
}
