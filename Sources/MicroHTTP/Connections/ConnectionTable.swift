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
  /// - Complexity: O(n) in the number of connections.
  func parkedWithoutClient() -> [Exchange] {
    records.withLock { records in
      let parked = records.compactMap { record in record.parked.map { (record, $0) } }
      if parked.isEmpty { return [] }
      // POLLRDHUP, which Glibc's module leaves out: the peer closed its end, or at least half of it.
      let events: Int16 = 0x2000
      var descriptors = parked.map { pollfd(fd: $0.0.descriptor, events: events, revents: 0) }
      guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { return [] }
      return zip(descriptors, parked).compactMap { $0.revents == 0 ? nil : $1.1 }
    }
  }
}
