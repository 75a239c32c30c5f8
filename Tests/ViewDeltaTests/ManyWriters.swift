import Glibc
import Synchronization
import TestSupport

/// Eight clients that write 200 posts at once, while processes are killed.
enum ManyWriters {
  static let path = "/v1/users/1/posts"

  /// Writes the posts, named `Number 1` to `Number 200`, each on a connection of its own.
  ///
  /// - Parameters:
  ///   - ports: The ports of the servers, which take turns.
  ///   - kills: The processes to kill before posts, by their numbers. No later post begins before that.
  /// - Returns: The titles of the posts that were answered.
  static func write(to ports: [UInt16], kills: [Int: Int32]) throws -> Set<String> {
    let last = Mutex(0)
    let writer: @Sendable () throws -> [String] = {
      var answered: [String] = []
      while true {
        let number = last.withLock { number in
          number += 1
          if let process = kills[number] { kill(process, SIGKILL) }
          return number
        }
        guard number <= 200 else { return answered }
        // A request fails if its server is killed.
        let reply = try? SocketClient(port: ports[number % ports.count]).request(
          "POST", path, json: #"{"title":"Number \#(number)","body":"Text"}"#)
        if reply?.status == 201 { answered.append("Number \(number)") }
      }
    }
    return Set(try onThreads(Array(repeating: writer, count: 8)).joined())
  }
}
