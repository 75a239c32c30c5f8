import CanonicalJSON
public import ViewState

/// The limits on the feeds that a ``FeedReader`` loads.
public struct FeedLimits: Sendable {
  /// The size of an answer, unpacked, in bytes.
  public var byteCount = 8 * 1024 * 1024
  /// The number of items of a feed.
  public var itemCount = 10_000
  /// The number of redirects.
  public var redirectCount = 5
  /// The time to connect.
  public var connectTime = Duration.seconds(3)
  /// The time for a feed with all redirects, from the request until it is read. It is shorter than the usual
  /// time-out of the engine, so that the failure names the podcast.
  public var time = Duration.seconds(8)
  /// The number of feeds that are loaded at once from one host by one reader. Each takes a thread, and memory for its
  /// answer; the values of a JSON feed take up to twenty times its size while it is read.
  public var concurrentCount = 4

  /// Creates the default limits.
  public init() {}
}

/// Loads the feeds of podcasts over HTTP: RSS 2.0, or JSON Feed 1.1 (jsonfeed.org).
///
/// Clients write the addresses of feeds, and could name services that only the server can reach. So the server loads
/// feeds only from hosts that its operator names, and checks each redirect like the first address.
public struct FeedReader: Sendable {
  private let limits: FeedLimits
  /// Run the transfers, which block their threads, by the host of the first address of a feed: one that does not answer
  /// holds up only the feeds that begin there.
  private let threads: [WebHost: TransferThreads]

  /// - Parameters:
  ///   - hosts: The hosts from which feeds are loaded; without any, all feeds fail as `feed-not-allowed`.
  ///   - limits: The limits.
  public init(hosts: Set<WebHost> = [], limits: FeedLimits = FeedLimits()) {
    self.limits = limits
    threads = hosts.reduce(into: [:]) { $0[$1] = TransferThreads(count: limits.concurrentCount) }
  }

  /// Loads the feeds of podcasts, one that several podcasts have once.
  ///
  /// - Parameter addresses: The addresses of the feeds, by the ids of the podcasts.
  /// - Throws: `LoadFailure` for the first feed that fails; the others are cancelled then.
  func channels(at addresses: [ResourceID: Text]) async throws -> [ResourceID: LoadedChannel] {
    let feeds = Dictionary(grouping: addresses, by: \.value)
    return try await withThrowingTaskGroup(of: LoadedChannel.self) { group in
      for (address, podcasts) in feeds {
        group.addTask {
          do throws(FeedFault) {
            return LoadedChannel(address: address, channel: try await channel(at: address))
          } catch {
            throw error.failure(of: podcasts[0].key)
          }
        }
      }
      return try await group.reduce(into: [:]) { channels, loaded in
        for podcast in feeds[loaded.address] ?? [] { channels[podcast.key] = loaded }
      }
    }
  }

  /// Loads a feed. A cancel of the task ends the transfer.
  func channel(at address: Text) async throws(FeedFault) -> Channel {
    guard let address = WebAddress(address), let threads = threads(for: address) else {
      throw .notAllowed
    }
    let stop = FeedTransfer.Stop()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        threads.run {
          continuation.resume(
            returning: Result { () throws(FeedFault) in try read(address, until: stop) })
        }
      }
    } onCancel: {
      stop.stop()
    }
    return try result.get()
  }

  /// The threads of the host of an address; `nil` if the host is not allowed.
  private func threads(for address: WebAddress) -> TransferThreads? {
    threads.first { $0.key.includes(address) }?.value
  }

  private func read(_ address: WebAddress, until stop: FeedTransfer.Stop) throws(FeedFault)
    -> Channel
  {
    let end = ContinuousClock.now + limits.time
    func checkTime() throws(FeedFault) {
      if stop.hasStopped { throw .cancelled }
      if ContinuousClock.now >= end { throw .timedOut }
    }
    var address = address
    for _ in 0...limits.redirectCount {
      guard threads(for: address) != nil else { throw .notAllowed }
      let answer = try FeedTransfer(limits, until: stop)
        .get(address, within: end - ContinuousClock.now)
      guard let redirect = answer.redirect else { return try channel(answer, checkTime) }
      guard let next = WebAddress(Text(redirect)), next.isSecure || !address.isSecure else {
        throw .notAllowed
      }
      address = next
    }
    throw .tooManyRedirects(limit: limits.redirectCount)
  }

  private func channel(
    _ answer: FeedTransfer.Answer, _ checkTime: @escaping () throws(FeedFault) -> Void
  ) throws(FeedFault) -> Channel {
    switch answer.status {
    case 200:
      return try Channel(answer.body, type: answer.contentType, limits, checkTime: checkTime)
    case 404, 410: throw .missing(status: answer.status)
    default: throw .status(answer.status)
    }
  }
}
