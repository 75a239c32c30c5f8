import CanonicalJSON
import TestSupport

/// Another program's JSON Patch: the library `jsonpatch` of Python (Debian's python3-jsonpatch).
enum PatchLibrary {
  /// A Python that has the library: the one on the path, or Debian's own.
  static let python = ["python3", "/usr/bin/python3"].first {
    (try? Program.run($0, ["-c", "import jsonpatch"])) != nil
  }

  /// The documents after their patches, all in one run of the program.
  static func apply(_ cases: [PatchCase]) throws -> [JSONValue] {
    guard let python else { throw LawViolation("there is no Python with jsonpatch") }
    let input = cases.map { $0.before + [0x20] + $0.patch + [0x0A] }.joined()
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
