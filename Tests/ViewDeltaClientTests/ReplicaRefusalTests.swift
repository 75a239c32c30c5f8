import CanonicalJSON
import Snapshots
import TestSupport
import Testing
import ViewDeltaClient

/// Invalid documents, which a replica refuses without changing.
@Suite struct ReplicaRefusalTests {
  static let old = make("a", "b")
  static let new = make("b", "c")

  private static func make(_ ids: Text...) -> Snapshot {
    do {
      return try Snapshot(
        states: ["posts": "loaded"],
        sections: [Section(id: "s", rows: ids.map { Row(id: $0, type: "t") })])
    } catch {
      preconditionFailure("\(error)")
    }
  }

  private static let snapshot = new.encoded(kind: .snapshot, screen: "s/1", revision: "B")
  private static let diff = new.difference(from: old).encoded(
    screen: "s/1", from: "A", revision: "B")

  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let document: String
    let expected: @Sendable (ReplicaError) -> Bool

    init(
      _ name: String, _ document: String, _ expected: @escaping @Sendable (ReplicaError) -> Bool
    ) {
      testDescription = name
      self.document = document
      self.expected = expected
    }

    /// Returns a document with one piece of its text replaced.
    init(
      _ name: String, in bytes: [UInt8], _ text: String, _ replacement: String,
      _ expected: @escaping @Sendable (ReplicaError) -> Bool
    ) {
      let document = String(decoding: bytes, as: UTF8.self)
      let parts = document.split(separator: text, omittingEmptySubsequences: false)
      precondition(parts.count == 2, "\(text) must stand once in \(document)")
      self.init(name, parts.joined(separator: replacement), expected)
    }
  }

  private static func hasShapeFault(
    _ pointer: String
  ) -> @Sendable (ReplicaError) -> Bool {
    return { error in
      guard case .unexpectedShape(let shape) = error else { return false }
      return shape.pointer.description == pointer
    }
  }

  private static func isInapplicable(
    _ code: ChangesetError.Code
  ) -> @Sendable (ReplicaError) -> Bool {
    return { error in
      guard case .inapplicable(let fault) = error else { return false }
      return fault.code == code
    }
  }

  static let refusals: [Refusal] = [
    Refusal("nothing", "") {
      if case .malformed(let error) = $0 { error.code == .empty } else { false }
    },
    Refusal("a cut document", String(decoding: snapshot.dropLast(9), as: UTF8.self)) {
      if case .malformed(let error) = $0 { error.code == .unexpectedEnd } else { false }
    },
    Refusal("no object", "[]", hasShapeFault("")),
    Refusal("no screen", "{}", hasShapeFault("/screen")),
    Refusal("an unknown kind", in: diff, #""diff""#, #""dif""#, hasShapeFault("/kind")),
    Refusal("no digest", in: diff, #""digest""#, #""digset""#, hasShapeFault("/digest")),
    Refusal("a digest that is none", in: diff, "\(new.digest)", "X", hasShapeFault("/digest")),
    Refusal("no number of rows", in: snapshot, "rowCount", "rowcount", hasShapeFault("/rowCount")),
    Refusal(
      "a row without type", in: snapshot, #"{"id":"c","type":"t"}"#, #"{"id":"c"}"#,
      hasShapeFault("/sections/0/rows/1/type")),
    Refusal(
      "a numeric id", in: snapshot, #""id":"s""#, #""id":1"#, hasShapeFault("/sections/0/id")),
    Refusal("a numeric state", in: snapshot, #""loaded""#, "1", hasShapeFault("/states/posts")),
    Refusal("no states", in: snapshot, #""states""#, #""state""#, hasShapeFault("/states")),
    Refusal("a path of three", in: diff, "[0,0]", "[0,0,0]", hasShapeFault("/rows/deletes/0/at")),
    Refusal(
      "a path of text", in: diff, "[0,0]", #"["0",0]"#, hasShapeFault("/rows/deletes/0/at/0")),
    Refusal(
      "a window of a negative number of rows", in: snapshot, #"{"digest""#,
      #"{"window":{"start":0,"count":2,"total":-1},"digest""#, hasShapeFault("/window/total")),
    Refusal(
      "a window without rows", in: diff, #"{"digest""#,
      #"{"window":{"start":0,"count":0,"total":2},"digest""#, hasShapeFault("/window")),
    Refusal("another screen", in: snapshot, "s/1", "s/2") {
      $0 == .otherScreen(expected: "s/1", found: "s/2")
    },
    Refusal("another revision", in: diff, #""from":"A""#, #""from":"B""#) {
      $0 == .otherRevision(expected: "A", found: "B")
    },
    Refusal("a row twice", in: snapshot, #""id":"c""#, #""id":"b""#) {
      $0 == .duplicateIdentifiers(SnapshotError(duplicateRowIDs: ["b"]))
    },
    Refusal("a wrong number of rows", in: snapshot, #""rowCount":2"#, #""rowCount":3"#) {
      $0 == .rowCountMismatch(expected: 3, found: 2)
    },
    Refusal("a changed text", in: snapshot, #""loaded""#, #""failed""#) {
      if case .digestMismatch(let expected, _) = $0 { expected == new.digest } else { false }
    },
    Refusal(
      "a diff with another digest", in: diff, "\(new.digest)", "\(old.digest)",
      isInapplicable(.digestMismatch)),
    Refusal(
      "a diff with another count", in: diff, #""rowCount":2"#, #""rowCount":3"#,
      isInapplicable(.rowCountMismatch)),
    Refusal(
      "a diff that deletes another row", in: diff, #""id":"a""#, #""id":"b""#,
      isInapplicable(.identifierMismatch)),
  ]

  @Test(arguments: refusals)
  func `an invalid document is refused and changes nothing`(_ refusal: Refusal) throws {
    let bytes = Self.old.encoded(kind: .snapshot, screen: "s/1", revision: "A")
    var replica = try Replica(document: bytes)
    let before = replica
    let error = try #require(throws: ReplicaError.self) {
      try replica.apply(document: Array(refusal.document.utf8))
    }
    #expect(refusal.expected(error), "\(error)")
    #expect(replica == before)
    #expect(replica.canonicalBytes() == bytes)
  }

  @Test func `a replica cannot start from a diff`() {
    let error = #expect(throws: ReplicaError.self) { try Replica(document: Self.diff) }
    #expect(error.map(Self.hasShapeFault("/kind")) == true)
  }

  @Test func `members that a later server adds are ignored`() throws {
    let later = Array("{\"aaa\":[1],".utf8) + Self.snapshot.dropFirst()
    #expect(try Replica(document: later).canonicalBytes() == Self.snapshot)
  }

  @Test func `random damage to a diff is refused, or leads to the same content`() throws {
    try withSeeds(1500) { random in
      let old = try random.snapshot()
      let new = try random.mutation(of: old, edits: 5)
      var replica = try Replica(
        document: old.encoded(kind: .snapshot, screen: "s/1", revision: "A"))
      let before = replica
      var diff = new.difference(from: old).encoded(screen: "s/1", from: "A", revision: "B")
      diff[random.number(in: 0...(diff.count - 1))] = random.pick(Array("0123456789\"[]{},:a".utf8))
      do {
        try replica.apply(document: diff)
        // The digest does not cover the revision.
        try require(replica.snapshot == new, "\(String(decoding: diff, as: UTF8.self)) was taken")
      } catch is ReplicaError {
        try require(replica == before, "a refused document changed the replica")
      }
    }
  }
}
