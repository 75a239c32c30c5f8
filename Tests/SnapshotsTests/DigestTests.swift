import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// The digest compared with its definition, which a client implements on its own.
@Suite struct DigestTests {
  /// The test vectors, which clients in other languages use too.
  static let vectors: [(String, Snapshot)] = {
    do {
      return [
        ("olsfu82nf7n", .empty),
        ("1ztdzjo0ayxv", try Snapshot(states: ["posts": "loaded"], sections: [])),
        (
          "32b9q18g2l5k",
          try Snapshot(sections: [Section(id: "a", fields: ["title": "A"], rows: [])])
        ),
        (
          "3gheuskcger9",
          try Snapshot(
            states: ["posts": "loaded", "profile": "failed"],
            sections: [
              Section(id: "a", rows: [Row(id: "1", type: "post", fields: ["text": "é\n😀/"])]),
              Section(
                id: "b",
                rows: [
                  Row(id: "2", type: "post", fields: ["n": 1e-7, "m": [nil, true]]),
                  Row(id: "3", type: "post"),
                ]),
            ])
        ),
      ]
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  @Test(arguments: vectors)
  func `a digest is the same in every process and on every run`(
    _ digest: String, _ snapshot: Snapshot
  ) {
    #expect(snapshot.digest.description == digest)
  }

  @Test func `another program recomputes the digests of random snapshots`() throws {
    var documents = Self.vectors.map(\.1)
    try withSeeds(200) { random in documents.append(try random.snapshot()) }
    var input: [UInt8] = []
    for document in documents {
      input += document.encoded(kind: .snapshot, screen: "s", revision: "r") + [0x0A]
    }
    let output = try Self.runClientScript(on: input)
    #expect(output == documents.map(\.digest.description))
  }

  @Test
  func `the order, the place and the kind of content all count, also at the bounds of sections`()
    throws
  {
    let rows = ["1", "2"].map { Row(id: $0, type: "t") }
    let contents = [
      Snapshot.empty,
      try Snapshot(sections: [Section(id: "a", rows: rows)]),
      try Snapshot(sections: [Section(id: "a", rows: rows.reversed())]),
      try Snapshot(sections: [Section(id: "a", rows: [rows[0]]), Section(id: "b", rows: [rows[1]])]
      ),
      try Snapshot(sections: [Section(id: "a", rows: []), Section(id: "b", rows: rows)]),
      try Snapshot(sections: [Section(id: "b", rows: rows), Section(id: "a", rows: [])]),
      try Snapshot(sections: [Section(id: "a", fields: ["x": nil], rows: rows)]),
      try Snapshot(states: ["a": "b"], sections: [Section(id: "a", rows: rows)]),
    ]
    #expect(Set(contents.map(\.digest)).count == contents.count)
  }

  @Test func `the text of a fold is its value in base 36, with any number of digits`() {
    let powers = (0...11).map { (0..<$0).reduce(1 as UInt64) { power, _ in 36 * power } }
    for value in powers.flatMap({ [$0 - 1, $0, $0 + 1] }) + [DigestFold.modulus - 1] {
      let fold = DigestFold(of: value + DigestFold.modulus - DigestFold.base)
      var hash = FNV1a()
      hash.combine(fold)
      #expect(fold.value == value)
      #expect(hash.value == FNV1a.hash(String(value, radix: 36).utf8), "\(value)")
    }
  }

  @Test func `a digest survives its string form`() throws {
    try withSeeds(200) { random in
      let digest = try random.snapshot().digest
      try require(Digest(digest.description) == digest, "\(digest)")
      try require(digest.description.utf8.count <= 12, "\(digest) is long")
    }
  }

  @Test(arguments: [
    "", "-1", "+1", "01", "A", "1_0", " 1", "1 ", "é", "zzzzzzzzzzzz", "zzzzzzzzzzzzzzzzzzzz",
    "hio94mrrlk3j",
  ])
  func `text that no digest has is refused`(_ text: String) {
    #expect(Digest(text) == nil)
  }

  /// Reads snapshot documents, one per line, and prints their digests.
  private static let clientScript = """
    import json, sys
    from decimal import Decimal
    P, B = 2**61 - 1, 0x13C6EF372FE94F83
    def base36(n):
      return (base36(n // 36) if n >= 36 else "") + "0123456789abcdefghijklmnopqrstuvwxyz"[n % 36]
    def hash(value):
      h = 0xCBF29CE484222325
      for byte in canonical(value).encode(): h = (h ^ byte) * 0x100000001B3 % 2**64
      return h % P
    def fold(hashes):
      acc = 1
      for h in hashes: acc = (acc * B + h) % P
      return base36(acc)
    def section(s): return hash({**s, "rows": fold(map(hash, s["rows"]))})
    def digest(s):
      return base36(hash({"sections": fold(map(section, s["sections"])), "states": s["states"]}))

    # What JSON.stringify does for a client in JavaScript:
    def canonical(value):
      if isinstance(value, dict):
        members = (canonical(name) + ":" + canonical(value[name]) for name in sorted(value))
        return "{" + ",".join(members) + "}"
      if isinstance(value, list): return "[" + ",".join(map(canonical, value)) + "]"
      if isinstance(value, float): return number(value)
      return json.dumps(value, ensure_ascii=False)
    def number(value):
      sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
      digits = "".join(map(str, digits))
      point = len(digits) + exponent
      if len(digits) <= point <= 21: text = digits + "0" * (point - len(digits))
      elif 0 < point <= 21: text = digits[:point] + "." + digits[point:]
      elif -6 < point <= 0: text = "0." + "0" * -point + digits
      else: text = digits[0] + ("." if digits[1:] else "") + digits[1:] + "e%+d" % (point - 1)
      return ("-" if sign else "") + text

    for line in sys.stdin.buffer.read().decode().split("\\n")[:-1]:
      print(digest(json.loads(line)))
    """

  private static func runClientScript(on input: [UInt8]) throws -> [String] {
    let bytes = try Program.run("python3", ["-c", clientScript], input: input)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
