import CCurl
import Synchronization
import ViewState

/// One GET by libcurl, which blocks the thread that runs it.
///
/// Foundation's `URLSession` does the same by the same library. But on Linux it keeps the body of a redirect
/// without a limit, counts its time-outs in whole seconds, and ends the process on a redirect to `//a%20b/`.
final class FeedTransfer {
  /// The answer of a server.
  struct Answer {
    let status: Int
    let contentType: String?
    /// The absolute address in Location; `nil` unless the answer is a redirect.
    let redirect: String?
    let body: [UInt8]
  }

  /// Ends a transfer from any thread.
  final class Stop: Sendable {
    private let isSet = Atomic<Bool>(false)

    var hasStopped: Bool { isSet.load(ordering: .relaxed) }

    func stop() { isSet.store(true, ordering: .relaxed) }
  }

  private let limits: FeedLimits
  private let stop: Stop
  private var headByteCount = 0
  private var body: [UInt8] = []
  private var isTooLarge = false

  /// The largest size of the fields of an answer, in bytes.
  private static let longestHead = 64 * 1024
  private static let accept =
    "Accept: application/feed+json, application/rss+xml, application/json;q=0.9, "
    + "application/xml;q=0.9, text/xml;q=0.9"

  /// Prepares libcurl, which must be done once and before all else.
  private static let isReady = viewdelta_curl_init() == CURLE_OK

  init(_ limits: FeedLimits, until stop: Stop) {
    (self.limits, self.stop) = (limits, stop)
  }

  /// Sends the request, and waits for the answer.
  ///
  /// libcurl asks whether to go on at least once a second, so a stop ends the wait within a second.
  ///
  /// - Parameter time: The time for the whole.
  func get(_ address: WebAddress, within time: Duration) throws(FeedFault) -> Answer {
    guard !stop.hasStopped else { throw .cancelled }
    let fields = curl_slist_append(nil, Self.accept)
    defer { curl_slist_free_all(fields) }
    // The callbacks run during `curl_easy_perform`, which `self` outlives.
    let context = Unmanaged.passUnretained(self).toOpaque()
    guard Self.isReady,
      let handle = viewdelta_prepare_get(
        address.encoded, fields, Self.milliseconds(min(time, limits.connectTime)),
        Self.milliseconds(time), Int64(limits.byteCount),
        { bytes, size, count, context in FeedTransfer.of(context).receiveHead(size * count) },
        { bytes, size, count, context in
          FeedTransfer.of(context).receive(
            UnsafeRawBufferPointer(start: bytes, count: size * count))
        },
        { context, _, _, _, _ in FeedTransfer.of(context).stop.hasStopped ? 1 : 0 }, context)
    else { throw .unreachable("libcurl cannot be used") }
    defer { curl_easy_cleanup(handle) }
    try check(curl_easy_perform(handle))
    return Answer(
      status: Int(viewdelta_status(handle)),
      contentType: viewdelta_content_type(handle).map { String(cString: $0) },
      redirect: viewdelta_redirect(handle).map { String(cString: $0) }, body: body)
  }

  private func check(_ code: CURLcode) throws(FeedFault) {
    switch code {
    case CURLE_OK: return
    case _ where stop.hasStopped: throw .cancelled
    case CURLE_FILESIZE_EXCEEDED,
      _ where isTooLarge:
      throw .tooLarge(limit: limits.byteCount)
    case CURLE_OPERATION_TIMEDOUT: throw .timedOut
    case CURLE_PARTIAL_FILE: throw .incomplete
    default: throw .unreachable(String(cString: curl_easy_strerror(code)))
    }
  }

  /// Counts a line of the head; any result but its size ends the transfer.
  private func receiveHead(_ count: Int) -> Int {
    headByteCount += count
    isTooLarge = isTooLarge || headByteCount > Self.longestHead
    return isTooLarge ? 0 : count
  }

  /// Takes a part of the body, unpacked; any result but its size ends the transfer.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
    isTooLarge = isTooLarge || bytes.count > limits.byteCount - body.count
    guard !isTooLarge else { return 0 }
    body += bytes
    return bytes.count
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> FeedTransfer {
    // `get` passes the object itself.
    Unmanaged.fromOpaque(context.unsafelyUnwrapped).takeUnretainedValue()
  }

  private static func milliseconds(_ time: Duration) -> Int { max(1, Int(time / .milliseconds(1))) }
}
