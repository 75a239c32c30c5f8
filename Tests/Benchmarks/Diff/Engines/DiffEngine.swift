/// Something that finds the difference of two lists, in a race.
///
/// Another one joins by a file of its own with a conformance, and its name in
/// ``DiffBenchmark/peers``.
protocol DiffEngine: Sendable {
  var name: String { get }

  /// Whether it would take minutes where much has changed in a long list.
  var isQuadratic: Bool { get }

  /// What is to be measured, ready to run: it finds the difference and gives the number of
  /// operations.
  func prepare(_ workload: Workload) -> () -> Int
}

extension DiffEngine {
  var isQuadratic: Bool { false }
}
