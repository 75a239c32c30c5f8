public import Dispatch

/// How long a test waits for what must come: so long that only a fault reaches it, however slow the machine is.
public let patience = Duration.seconds(120)

extension DispatchSemaphore {
  /// Waits for a signal. Returns `false` if none comes.
  public func waitPatiently() -> Bool {
    let seconds: Double = patience / .seconds(1)
    return wait(timeout: .now() + seconds) == .success
  }
}
