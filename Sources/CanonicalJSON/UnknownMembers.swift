import Synchronization

/// Collects the unknown members of a document: of each kind the first place and the number.
///
/// Members are of one kind if their places differ by indexes alone, as `/users/0/phone` and
/// `/users/7/phone`. The number of kinds has a limit; members of further kinds are only counted.
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
  private let limit: Int

  /// - Parameter limit: how many kinds are told apart.
  public init(limit: Int = 20) {
    self.limit = limit
  }

  /// Whether there are none.
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
      } else if findings.kinds.count < limit {
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
