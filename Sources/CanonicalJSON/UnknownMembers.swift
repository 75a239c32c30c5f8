import Synchronization

/// Collects the unknown members of a document: the first location and the number of each kind.
///
/// Two members are of the same kind if their locations differ only in array indexes, as
/// `/users/0/phone` and `/users/7/phone` do. The number of kinds is limited; members of further
/// kinds are only counted.
public final class UnknownMembers: Sendable, CustomStringConvertible {
  private struct Kind {
    let example: String
    var count = 1
  }

  private struct Findings {
    var kinds: [Kind] = []
    var indexes: [JSONPointer: Int] = [:]
    var otherCount = 0
  }

  private let findings = Mutex(Findings())
  /// The maximum number of kinds.
  private static let limit = 20

  /// Creates an empty collection.
  public init() {}

  /// Whether no unknown member was found.
  public var isEmpty: Bool { findings.withLock { $0.kinds.isEmpty } }

  /// The kinds in the order in which they were found: `/comments, /users/0/phone (10 times)`.
  public var description: String {
    findings.withLock { findings in
      var list = findings.kinds.map {
        $0.count == 1 ? $0.example : "\($0.example) (\($0.count) times)"
      }
      if findings.otherCount > 0 { list.append("\(findings.otherCount) more") }
      return list.joined(separator: ", ")
    }
  }

  func add(_ pointer: JSONPointer) {
    let kind = JSONPointer(tokens: pointer.tokens.map { $0.isIndex ? "*" : $0 })
    findings.withLock { findings in
      if let index = findings.indexes[kind] {
        findings.kinds[index].count += 1
      } else if findings.kinds.count < Self.limit {
        findings.indexes[kind] = findings.kinds.count
        findings.kinds.append(Kind(example: pointer.description))
      } else {
        findings.otherCount += 1
      }
    }
  }
}

extension Text {
  fileprivate var isIndex: Bool {
    utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
