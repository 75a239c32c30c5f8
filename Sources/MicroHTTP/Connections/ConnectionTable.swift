import Glibc

/// The open connections of one serving thread. Only that thread uses it.
///
/// A record is removed before libmicrohttpd closes its socket, so the descriptors of all records
/// are valid.
final class ConnectionTable {
  private var records: [ConnectionRecord] = []
  /// The number of records at the beginning that ``nextPart(of:)`` has not returned in this round. New records go to
  /// the end, and wait for the next round.
  private var rest = 0
  /// The number of records that are returned at once in this round.
  private var partSize = 0
  /// The number of records in each of as many parts as are asked for, in this round.
  private var evenSize = 0

  /// Adds a new connection.
  func insert(_ record: ConnectionRecord) {
    record.index = records.count
    records.append(record)
  }

  /// Removes a connection whose socket is about to be closed.
  ///
  /// - Complexity: O(1).
  func remove(_ record: ConnectionRecord) {
    var gap = record.index
    // The last of those that were not returned fills the gap, so that none comes twice in a round.
    if gap < rest {
      rest -= 1
      move(rest, to: gap)
      gap = rest
    }
    move(records.count - 1, to: gap)
    records.removeLast()
  }

  private func move(_ index: Int, to gap: Int) {
    if index == gap { return }
    records[gap] = records[index]
    records[gap].index = gap
  }

  /// Returns the requests that wait for their handlers and those whose replies are streams.
  ///
  /// - Complexity: O(n), where n is the number of connections.
  func parked() -> [Exchange] { records.compactMap(\.parked) }

  /// Shuts down the connections whose deadline has passed.
  ///
  /// - Complexity: O(n), where n is the number of connections.
  func shutDownExpired(at now: MonotonicTime) {
    for record in records where record.deadline.takeExpiry(at: now) { record.shutDown() }
  }

  /// Shuts down the connection that has been idle for longest, of those whose client has received all replies and sent
  /// nothing; does nothing if there is none.
  ///
  /// - Complexity: O(n log n), where n is the number of connections.
  func shutDownLongestIdle() {
    let idle = records.compactMap { record in record.deadline.idleDeadline.map { (record, $0) } }
    idle.sorted { $0.1 < $1.1 }.lazy.map(\.0).first(where: \.isQuiet)?.shutDown()
  }

  /// Returns the next of `count` equal parts of the connections. So the connections can be examined
  /// one part at a time, without a delay for the others.
  ///
  /// A round takes at most `count` calls. Each connection that is there when it begins is returned once in it,
  /// however many are removed meanwhile.
  ///
  /// - Complexity: O(n / `count`), where n is the number of connections.
  func nextPart(of count: Int) -> ArraySlice<ConnectionRecord> {
    if rest == 0 {
      rest = records.count
      let even = (records.count + count - 1) / count
      // As many as in the round before, so that none waits longer for its turn because others were removed.
      (partSize, evenSize) = (max(even, evenSize), even)
    }
    let part = max(rest - partSize, 0)..<rest
    rest = part.lowerBound
    return records[part]
  }
}

extension ArraySlice<ConnectionRecord> {
  /// Returns the requests that libmicrohttpd has stopped reading; see
  /// ``ConnectionRecord/takeStuck()``.
  func stuck() -> [Exchange] { compactMap { $0.takeStuck() } }

  /// Returns the connections whose clients have closed their end: of those with parked requests and streams, which
  /// libmicrohttpd does not check for that while they are suspended, and of those that still wait for their clients,
  /// because it misses an end that comes together with the last bytes before it.
  func withoutClient() -> [ConnectionRecord] {
    // POLLRDHUP, which Glibc's module does not export: the peer closed its sending side at least.
    let events: Int16 = 0x2000
    let waiting = filter { $0.takeWaiting() || $0.parked != nil }
    var left: [ConnectionRecord] = []
    // poll() accepts no more descriptors than the limit of open files, which is always above 512.
    for start in stride(from: 0, to: waiting.count, by: 512) {
      let slice = waiting[start..<Swift.min(start + 512, waiting.count)]
      var descriptors = slice.map { pollfd(fd: $0.descriptor, events: events, revents: 0) }
      guard poll(&descriptors, nfds_t(descriptors.count), 0) > 0 else { continue }
      for (descriptor, record) in zip(descriptors, slice) where descriptor.revents != 0 {
        left.append(record)
      }
    }
    return left
  }
}
