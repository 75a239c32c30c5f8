import Foundation

/// Random numbers that a seed reproduces: SplitMix64 (Steele, Lea and Flood, 2014).
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns `true` with the given probability.
  public mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// Returns a number in the range.
  public mutating func number(in range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Returns an element of a list that is not empty.
  public mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(in: 0...(elements.count - 1))]
  }
}

/// A failure of a seeded run, with the seed that reproduces it.
public struct SeededFailure: Error, CustomStringConvertible {
  public let seed: UInt64
  public let underlying: any Error

  public var description: String {
    "\(underlying)\nreplay with VIEWDELTA_SEED=\(seed)"
  }
}

/// A violated law.
public struct LawViolation: Error, CustomStringConvertible {
  public let description: String

  public init(_ description: String) {
    self.description = description
  }
}

/// Throws unless the condition holds: an expectation for the bodies of seeded runs, whose failure
/// must include the seed, and which run too often for the cost of a macro.
public func require(_ condition: Bool, _ law: @autoclosure () -> String) throws {
  if !condition { throw LawViolation(law()) }
}

/// Runs a body with random numbers from several seeds. The first failure ends the run and prints
/// its seed.
///
/// The seeds are the same in each run of the tests, so that a new failure comes from the change at
/// hand. The environment variable `VIEWDELTA_SEED` replaces them by a single seed.
///
/// - Parameter salt: A number that distinguishes the runs of different tests.
public func withSeeds(
  _ count: Int, salt: String = #function, _ body: (inout SeededGenerator) throws -> Void
) throws {
  for seed in try seeds(count, salt: salt) {
    var generator = SeededGenerator(seed: seed)
    do {
      try body(&generator)
    } catch {
      throw SeededFailure(seed: seed, underlying: error)
    }
  }
}

/// Runs an asynchronous body with random numbers from several seeds, as the synchronous overload
/// does.
public func withSeeds(
  _ count: Int, salt: String = #function, _ body: (inout SeededGenerator) async throws -> Void
) async throws {
  for seed in try seeds(count, salt: salt) {
    var generator = SeededGenerator(seed: seed)
    do {
      try await body(&generator)
    } catch {
      throw SeededFailure(seed: seed, underlying: error)
    }
  }
}

private func seeds(_ count: Int, salt: String) throws -> [UInt64] {
  if let text = ProcessInfo.processInfo.environment["VIEWDELTA_SEED"] {
    guard let seed = UInt64(text) else {
      throw LawViolation("VIEWDELTA_SEED must be a number, not \(text)")
    }
    return [seed]
  }
  let base = salt.utf8.reduce(UInt64(count)) { $0 &* 31 &+ UInt64($1) }
  var generator = SeededGenerator(seed: base)
  return (0..<count).map { _ in generator.next() }
}

/// Waits until a condition holds that another thread makes true.
///
/// - Throws: ``LawViolation`` if it does not hold after ``patience``.
public func wait(until condition: () async throws -> Bool) async throws {
  let deadline = ContinuousClock.now + patience
  while try await !condition() {
    try require(ContinuousClock.now < deadline, "the condition never holds")
    await Task.yield()
  }
}
