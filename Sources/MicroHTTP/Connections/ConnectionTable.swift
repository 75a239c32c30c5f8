import Glibc
import Synchronization

/// All open connections of a server.
///
/// A record is taken out, under the lock, before libmicrohttpd closes its socket. So whoever holds
/// the lock may use the descriptors of the records.
final class ConnectionTable: Sendable {
  private let records = Mutex<[ConnectionRecord]>([])

  /// The number of open connections.
  var count: Int { records.withLock { $0.count } }

  /// Adds a new connection.
  func insert(_ record: ConnectionRecord) {
    records.withLock { records in
      record.index = records.count
      records.append(record)
    }
  }

  /// Takes a connection out whose socket is about to be closed.
  ///
  /// - Complexity: O(1).
  func remove(_ record: ConnectionRecord) {
    records.withLock { records in
      let last = records.removeLast()
      guard last !== record else { return }
      last.index = record.index
      records[record.index] = last
    }
  }

  /// Notes that a request waits on its connection, or that its reply is a stream.
  func park(_ exchange: Exchange) {
    records.withLock { _ in exchange.record.parked = exchange }
  }

  /// Notes that the request does not wait any longer, or that its stream is over.
  func unpark(_ exchange: Exchange) {
    let parked = records.withLock { _ in
      let parked = exchange.record.parked
      exchange.record.parked = nil
      return parked
    }
    // The last reference may run code of a handler: never under the lock.
    _ = parked
  }

  /// The requests that wait, and those whose replies are streams.
  func parked() -> [Exchange] {
    records.withLock { $0.compactMap(\.parked) }
  }

  /// Shuts down the sockets of connections whose deadline has passed. libmicrohttpd notices, and
  /// closes them itself.
  ///
  /// - Returns: How many there were.
  /// - Complexity: O(n) in the number of connections.
  func shutDownExpired(at now: MonotonicTime) -> Int {
    records.withLock { records in
      var count = 0
      // Closing will discard what the client did not read: otherwise the system would keep the rest
      // of a reply for a client that never reads it.
      var discard = linger(l_onoff: 1, l_linger: 0)
      let size = socklen_t(MemoryLayout.size(ofValue: discard))
      for record in records where record.takeExpiry(at: now) {
        setsockopt(record.descriptor, SOL_SOCKET, SO_LINGER, &discard, size)
        shutdown(record.descriptor, Int32(SHUT_RDWR))
        count += 1
      }
      return count
    }
  }

  /// Those of the ``parked()`` requests whose clients closed their end. libmicrohttpd does not look at
  /// a suspended connection, so nobody else would notice.
  ///
  /// - Complexity: O(n) in the number of connections. The lock is held for some hundreds at a time;
  ///   one that moves in between is looked at the next time.
  func parkedWithoutClient() -> [Exchange] {
    var left: [Exchange] = []
    var start = 0
    while let found = parkedWithoutClient(from: start) {
      left += found
      start += Self.slice
    }
    return left
  }

  private static let slice = 512

  /// Those among the connections from some place on; nil beyond the last.
  private func parkedWithoutClient(from start: Int) -> [Exchange]? {
    records.withLock { records in
      guard start < records.count else { return nil }
      // POLLRDHUP, which Glibc's module leaves out: the peer closed its end, or at least half of it.
      let events: Int16 = 0x2000
      let slice = start..<min(start + Self.slice, records.count)
      // A negative descriptor is passed over.
      var descriptors = slice.map { index in
        pollfd(
          fd: records[index].parked == nil ? -1 : records[index].descriptor, events: events,
          revents: 0)
      }
      guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { return [] }
      return zip(descriptors, slice).compactMap { $0.revents == 0 ? nil : records[$1].parked }
    }
  }
}
