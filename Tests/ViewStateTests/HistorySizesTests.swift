import TestSupport
import Testing

@testable import ViewState

@Suite("The sizes of histories")
struct HistorySizesTests {
  @Test("are cut to one height, the largest first, down to three quarters of the limit")
  func cut() throws {
    try withSeeds(200) { generator in
      var sizes = HistorySizes<Int>()
      var model: [Int: Int] = [:]
      let limit = generator.number(in: 0...2_000)
      for _ in 0..<generator.number(in: 1...60) {
        let id = generator.number(in: 0...20)
        if generator.chance(0.2) {
          sizes.remove(id)
          model[id] = nil
        } else {
          let size = generator.number(in: 0...generator.pick([10, 100, 1_000]))
          sizes.set(id, to: size)
          model[id] = size
        }
        let total = model.values.reduce(0, +)
        try require(sizes.total == total, "the total is \(total), not \(sizes.total)")
        guard let (height, ids) = sizes.cut(to: limit) else {
          try require(total <= limit, "\(total) is more than \(limit)")
          continue
        }
        try require(total > limit, "\(total) is within \(limit)")
        try require(Set(ids) == Set(model.filter { $0.value > height }.keys), "who is higher")
        let after = model.values.reduce(0) { $0 + min($1, height) }
        let target = limit / 4 * 3
        try require(after <= target && after > target - model.count, "\(after) is not \(target)")
      }
    }
  }
}
