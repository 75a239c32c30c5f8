/// The textbook's longest increasing subsequence, against which the engine's is judged.
package enum NaiveSubsequence {
  /// The length by the quadratic recurrence.
  package static func length(of values: [Int32]) -> Int {
    var best: [Int] = []
    for (index, value) in values.enumerated() {
      var length = 1
      for before in 0..<index where values[before] < value {
        length = max(length, best[before] + 1)
      }
      best.append(length)
    }
    return best.max() ?? 0
  }

  /// All permutations of a list.
  package static func permutations(of values: [Int]) -> [[Int]] {
    guard let first = values.first else { return [[]] }
    return permutations(of: Array(values.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
    }
  }
}
