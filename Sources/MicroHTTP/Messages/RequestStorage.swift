import HTTPTypes
import Synchronization

/// What was read of a request.
///
/// `@unchecked Sendable`: the variables are written by libmicrohttpd's thread, or by an initializer,
/// before the request is handed to a handler, and by nobody afterwards. The fields are behind a lock,
/// because their source changes when the connection goes on without the request.
class RequestStorage: @unchecked Sendable {
  /// The checked target.
  let target: Target
  /// The method, if it is a known one.
  var method: RequestMethod?
  /// A method that no server knows; only requests made by tests have one.
  var otherMethod: HTTPRequest.Method?
  private let source: Mutex<FieldSource>

  init(target: Target, source: FieldSource) {
    self.target = target
    self.source = Mutex(source)
  }

  /// The raw path; of a malformed target, the whole target.
  final var path: String {
    let bytes = target.fault == nil ? target.bytes[target.path] : target.bytes[...]
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The values of a field, whose name is given in lower case.
  final func values(for name: String) -> [String] {
    source.withLock { $0.values(for: name) }
  }

  /// The address of the peer, or an empty string.
  final var remoteAddress: String { source.withLock { $0.remoteAddress } }

  /// A copy of everything that the source has.
  final func snapshot() -> DetachedFields {
    source.withLock { $0.snapshot() }
  }

  /// Copies the fields out of the connection, which is about to forget them.
  final func detach() {
    source.withLock { $0 = .detached($0.snapshot()) }
  }
}
