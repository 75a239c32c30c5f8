import CanonicalJSON
import Snapshots
import TestSupport

/// A patch between two revisions, with the documents before and after it.
struct PatchCase {
  let changeset: Changeset
  let before: [UInt8]
  let after: [UInt8]
  let patch: [UInt8]

  init(from old: Snapshot, to new: Snapshot) {
    changeset = new.difference(from: old)
    before = old.encoded(kind: .snapshot, screen: "s/1", revision: "r1")
    after = new.encoded(kind: .snapshot, screen: "s/1", revision: "r2")
    patch = changeset.encodedPatch(of: old, from: "r1", revision: "r2")
  }

  /// Returns the operations of the patch.
  func operations() throws -> [JSONReader] {
    try JSONReader(JSONValue(parsing: patch)).elements()
  }

  /// Checks all laws for a patch except those that another program checks.
  func check() throws {
    let value = try JSONValue(parsing: patch)
    try require(value.canonicalBytes() == patch, "not canonical: \(value)")
    let result = try PatchApplier.apply(value, to: JSONValue(parsing: before))
    try require(
      result.canonicalBytes() == after,
      "\(value) leads to \(result) instead of \(String(decoding: after, as: UTF8.self))")

    let operations = try operations()
    try require(
      operations.first?.value == ["op": "test", "path": "/revision", "value": "r1"],
      "the first is no test of the revision: \(value)")
    try require(
      operations.last?.value == ["op": "replace", "path": "/revision", "value": "r2"],
      "the last does not replace the revision: \(value)")
    try checkSteps(operations)
  }

  /// Checks that each operation of the batch is one of the patch: a move stays a move.
  private func checkSteps(_ operations: [JSONReader]) throws {
    var steps: [String: Int] = [:]
    for operation in operations {
      let tokens = JSONPointer(try operation.member("path").string().string)!.tokens
      // "/sections/I" and "/sections/I/rows/J", but not the members of either.
      guard tokens.first == "sections", tokens.count == 2 || tokens.count == 4 else { continue }
      steps["\(try operation.member("op").string()) \(tokens.count)", default: 0] += 1
    }
    func expected(_ sections: Int, _ rows: Int, _ op: String) -> [(String, Int)] {
      [("\(op) 2", sections), ("\(op) 4", rows)].filter { $0.1 > 0 }
    }
    let (sections, rows) = (changeset.sections, changeset.rows)
    try require(
      steps
        == Dictionary(
          uniqueKeysWithValues: expected(sections.deletes.count, rows.deletes.count, "remove")
            + expected(sections.inserts.count, rows.inserts.count, "add")
            + expected(sections.moves.count, rows.moves.count, "move")),
      "\(steps) are not the steps of \(changeset)")
  }
}

/// Another implementation of JSON Patch: the Python library `jsonpatch` (Debian's
/// python3-jsonpatch).
enum PatchLibrary {
  /// A Python with the library: the one on the path, or Debian's.
  static let python = ["python3", "/usr/bin/python3"].first {
    (try? Program.run($0, ["-c", "import jsonpatch"])) != nil
  }

  /// Returns the documents after their patches, from a single run of the program.
  static func apply(_ cases: [PatchCase]) throws -> [JSONValue] {
    try apply(cases.map { ($0.before, $0.patch) })
  }

  /// Returns the documents after their patches, from a single run of the program.
  static func apply(_ cases: [(document: [UInt8], patch: [UInt8])]) throws -> [JSONValue] {
    guard let python else { throw LawViolation("there is no Python with jsonpatch") }
    let input = cases.map { $0.document + [0x20] + $0.patch + [0x0A] }.joined()
    let lines = try Program.run(python, ["-c", script], input: Array(input)).split(separator: 0x0A)
    return try lines.map { try JSONValue(parsing: $0) }
  }

  /// Reads a document and a patch from each line and prints the patched documents.
  private static let script = """
    import json, jsonpatch, sys
    decoder = json.JSONDecoder()
    for line in sys.stdin.buffer.read().decode().split("\\n")[:-1]:
      document, end = decoder.raw_decode(line)
      print(json.dumps(jsonpatch.apply_patch(document, json.loads(line[end:]))))
    """
}
