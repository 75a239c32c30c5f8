import MicroHTTP
import Synchronization

/// Keeps a request longer than its handler runs.
final class KeptRequest: Sendable {
  private let stored = Mutex<Request?>(nil)

  var request: Request? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
