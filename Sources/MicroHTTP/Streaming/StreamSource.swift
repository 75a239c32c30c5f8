/// Where the content of one streaming reply comes from.
///
/// The source is pulled: nothing is asked of it while its client has not taken the piece before, so
/// a client that reads slowly makes nothing pile up, and the source decides what a late client gets
/// (the latest state, say, instead of all steps to it). What piles up for a client that does not
/// read at all is one piece and the system's socket buffer, until
/// ``ServerConfiguration/replyDeadline`` ends it.
public protocol StreamSource: Sendable {
  /// The next piece of the content.
  ///
  /// It is called on the thread that serves the connection, which serves many others: it must not
  /// block, and its cost is everybody's latency. Calls never overlap. It may be called more often
  /// than the signal was raised, and then returns ``StreamStep/wait``.
  func next() -> StreamStep

  /// The stream is over, whoever ended it: the source, the client, a deadline, the server's
  /// shutdown.
  ///
  /// It is called once for each source that was made, on any thread, with no lock held, and must not
  /// block. No ``next()`` is running then or comes afterwards. After the source's own
  /// ``StreamStep/end`` it comes when the client has taken the rest, or is not waited for any longer.
  func ended()
}
