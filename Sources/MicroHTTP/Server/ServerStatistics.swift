import Synchronization

/// The numbers of a server at one moment, for those who operate it.
///
/// ```swift
/// let busy = server.statistics.requestsInFlight
/// ```
package struct ServerStatistics: Hashable, Sendable {
  /// The number of open connections.
  package let connections: Int
  /// The number of requests from their request line to the end of their reply, including streams.
  package let requestsInFlight: Int
  /// The number of requests that wait for their handler and of streams that wait for their source.
  package let requestsParked: Int
  /// The numbers of replies since the start by the first digit of their status, from 2 to 5 (RFC 9110, section 15).
  /// The replies of libmicrohttpd to input that is not HTTP are not among them.
  package let replies: [Int: Int]
  /// The numbers of replies since the start that report a problem, by its ``ProblemDetails/code``. Each serving thread
  /// counts up to 128 codes by their names. Further codes, and those that are long or not in kebab case, count as
  /// `other`.
  package let problems: [String: Int]
  /// The times from the last byte of a POST, PUT, PATCH or DELETE to its reply, except those that are queries.
  package let writes: DurationHistogram
}

/// The numbers of the replies of one thread. Any thread can read them, but only the serving thread changes them, so that
/// it needs no atomic addition.
struct ReplyCounts: ~Copyable {
  /// The numbers by the first digits of the statuses, from 2 to 5.
  private let counts = InlineArray<4, Atomic<Int>> { _ in Atomic(0) }
  private let problemCounts = Mutex<[String: Int]>([:])
  /// So many codes are counted one by one, in case a program makes codes of its data.
  private static let codeLimit = 128

  /// Counts a reply.
  func add(_ reply: Response) {
    counts[Int(reply.storage.code) / 100 - 2].change(by: 1)
    guard let problem = reply.problem else { return }
    problemCounts.withLock { counts in
      let isCounted =
        counts[problem] != nil || counts.count < Self.codeLimit && Self.isLabel(problem)
      counts[isCounted ? problem : "other", default: 0] += 1
    }
  }

  /// Returns whether a code is short and in kebab case, as a code should be.
  private static func isLabel(_ code: String) -> Bool {
    (1...64).contains(code.utf8.count)
      && code.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  /// Counts a stream.
  func addStream() { counts[0].change(by: 1) }

  /// The numbers of replies that report a problem, by its code.
  var problems: [String: Int] { problemCounts.withLock { $0 } }

  /// Returns the number of replies whose status begins with a digit.
  func count(_ digit: Int) -> Int { counts[digit - 2].load(ordering: .relaxed) }
}
