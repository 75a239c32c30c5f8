public import Dispatch
import Glibc

/// How long a test waits for what must come: so long that only a fault reaches it, however slow the machine is.
public let patience = Duration.seconds(120)

extension DispatchSemaphore {
  /// Waits for a signal. Returns `false` if none comes.
  public func waitPatiently() -> Bool {
    let seconds: Double = patience / .seconds(1)
    return wait(timeout: .now() + seconds) == .success
  }
}

/// Waits until a condition holds that another thread or process makes true.
///
/// - Throws: ``LawViolation`` if it does not hold after ``patience``.
public func awaitTrue(
  _ what: @autoclosure () -> String, _ condition: () throws -> Bool
) throws {
  try awaitAnswer(what()) { try condition() ? true : nil }
}

/// Asks again and again until there is an answer.
///
/// - Throws: ``LawViolation`` if there is none after ``patience``.
@discardableResult
public func awaitAnswer<Answer>(
  _ what: @autoclosure () -> String, _ ask: () throws -> Answer?
) throws -> Answer {
  let end = ContinuousClock.now + patience
  while true {
    if let answer = try ask() { return answer }
    try require(ContinuousClock.now < end, "after \(patience) still not: \(what())")
    // Those who bring it about need the processor.
    _ = poll(nil, 0, 1)
  }
}
