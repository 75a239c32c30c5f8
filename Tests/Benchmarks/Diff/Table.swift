import Foundation

/// The table that a benchmark prints: one line for each figure with its budget.
struct Table {
  private var lines: [[String]] = [["workload", "ours", "reference", "ratio", "budget", "met"]]
  /// Whether all budgets so far are met.
  private(set) var isMet = true
  /// Whether it has no figure.
  var isEmpty: Bool { lines.count == 1 }

  /// Adds a ratio, with the times that it is computed from.
  mutating func add(
    _ workload: String, _ measurement: Measurement, reference: String, atMost budget: Double?
  ) {
    lines.append([
      workload, Self.time(measurement.first), "\(Self.time(measurement.second)) \(reference)",
      String(format: "%.3f", measurement.ratio), budget.map { "≤ \($0)" } ?? "–",
      verdict(budget.map { measurement.ratio <= $0 }),
    ])
  }

  /// Adds a figure other than a ratio.
  mutating func add(
    _ workload: String, ours: String, reference: String = "–", budget: String, isMet: Bool?
  ) {
    lines.append([workload, ours, reference, "–", budget, verdict(isMet)])
  }

  private mutating func verdict(_ isMet: Bool?) -> String {
    guard let isMet else { return "–" }
    self.isMet = self.isMet && isMet
    return isMet ? "yes" : "NO"
  }

  /// Returns seconds in a suitable unit.
  static func time(_ seconds: Double) -> String {
    seconds < 1e-3
      ? String(format: "%.1f µs", seconds * 1e6) : String(format: "%.3f ms", seconds * 1e3)
  }

  /// Prints the table with aligned columns.
  func print() {
    let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max()! }
    for line in lines {
      Swift.print(
        zip(line, widths)
          .map { $0 + String(repeating: " ", count: $1 - $0.count) }
          .joined(separator: "  "))
    }
  }
}

extension Int {
  /// The number with commas between its groups of three digits.
  var formatted: String {
    let digits = String(self)
    return String(
      digits.enumerated().flatMap { index, digit in
        index > 0 && (digits.count - index) % 3 == 0 ? [",", digit] : [digit]
      })
  }
}
