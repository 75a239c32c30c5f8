import Glibc

/// All open connections of one serving thread, which alone uses them.
///
/// A record is taken out before libmicrohttpd closes its socket, so the descriptors of the records are
/// those of the clients.
final class ConnectionTable {
  private var records: [ConnectionRecord] = []

  /// Adds a new connection.
  func insert(_ record: ConnectionRecord) {
    record.index = records.count
    records.append(record)
  }

  /// Takes a connection out whose socket is about to be closed.
  ///
  /// - Complexity: O(1).
  func remove(_ record: ConnectionRecord) {
    let last = records.removeLast()
    guard last !== record else { return }
    last.index = record.index
    records[record.index] = last
  }

  /// The requests that wait, and those whose replies are streams.
  ///
  /// - Complexity: O(n) in the number of connections.
  func parked() -> [Exchange] { records.compactMap(\.parked) }

  /// Shuts down the connections whose deadline has passed.
  ///
  /// - Complexity: O(n) in the number of connections.
  func shutDownExpired(at now: MonotonicTime) {
    for record in records where record.takeExpiry(at: now) { record.shutDown() }
  }

  /// The requests that libmicrohttpd does not read on; see ``ConnectionRecord/takeStuck()``.
  ///
  /// - Complexity: O(n) in the number of connections.
  func stuck() -> [Exchange] { records.compactMap { $0.takeStuck() } }

  /// Those of the ``parked()`` requests whose clients closed their end. libmicrohttpd does not look at
  /// a suspended connection, so nobody else would notice.
  ///
  /// - Complexity: O(n) in the number of connections.
  func parkedWithoutClient() -> [Exchange] {
    // POLLRDHUP, which Glibc's module leaves out: the peer closed its end, or at least half of it.
    let events: Int16 = 0x2000
    let parked = parked()
    var left: [Exchange] = []
    // As many at once as any limit of open files allows to be named.
    for start in stride(from: 0, to: parked.count, by: 512) {
      let slice = parked[start..<min(start + 512, parked.count)]
      var descriptors = slice.map { exchange in
        pollfd(fd: exchange.record.descriptor, events: events, revents: 0)
      }
      guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { continue }
      for (descriptor, exchange) in zip(descriptors, slice) where descriptor.revents != 0 {
        left.append(exchange)
      }
    }
    return left
  }
}
