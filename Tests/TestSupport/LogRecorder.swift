public import Logging

/// Keeps the lines of a log: the level, the message, and the metadata of each event.
///
/// ```swift
/// let recorder = LogRecorder(.debug)
/// let logger = Logger(label: "test") { _ in recorder }
/// ```
public struct LogRecorder: LogHandler {
  /// The lines, oldest first.
  public let lines = Noted<String>()
  public var metadata: Logger.Metadata = [:]
  public var logLevel: Logger.Level

  /// Creates a recorder of the events from a level on.
  public init(_ level: Logger.Level = .info) { logLevel = level }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    lines.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
  }
}
