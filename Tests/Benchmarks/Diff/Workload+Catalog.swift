import TestSupport

extension Workload {
  /// Returns the workloads with a budget, and those that show that no input is slow.
  static func catalog() -> [Workload] {
    edited() + single() + sectioned() + adversarial(0..<10_000)
  }

  /// Returns the workloads of ``RenderedRows``.
  static func rendered() -> [Workload] {
    var random = SeededGenerator(seed: 5_000)
    let (few, list, many) = (items(0..<5_000), items(0..<10_000), items(0..<100_000))
    func updated(_ items: [Item]) -> [Item] {
      var items = items
      items[items.count / 2].payload = "Edited"
      return items
    }
    return [
      Workload(
        "5,000 rows: 1,000 deleted, 1,000 inserted, 200 shuffled", old: [few],
        new: [scattered(few, shuffled: 200, deleted: 1_000, inserted: 1_000, random: &random)]),
      Workload("100,000 rows, one updated", old: [many], new: [updated(many)]),
      Workload(
        "100,000 rows, 1,000 shuffled", old: [many],
        new: [scattered(many, shuffled: 1_000, deleted: 0, inserted: 0, random: &random)]),
      Workload(
        "10,000 rows, the first moved to the end", old: [list],
        new: [Array(list.dropFirst()) + list.prefix(1)]),
      Workload("10,000 rows, all replaced", old: [list], new: [items(10_000..<20_000)]),
      Workload("1,000 rows, reversed", old: [items(0..<1_000)], new: [items(0..<1_000).reversed()]),
      Workload("20 rows, one updated", old: [items(0..<20)], new: [updated(items(0..<20))]),
    ]
  }

  private static func edited() -> [Workload] {
    var random = SeededGenerator(seed: 5_000)
    let few = items(0..<5_000)
    let many = items(0..<100_000)
    let budgets = Budgets(fresh: 3, known: 0.7)
    return [
      Workload(
        "5,000 rows: 1,000 deleted, 1,000 inserted, 200 shuffled", old: [few],
        new: [
          rebuilt(
            scattered(few, shuffled: 200, deleted: 1_000, inserted: 1_000, random: &random))
        ], budgets: budgets, isSmall: true),
      Workload(
        "the same in blocks, as DifferenceKit publishes it", old: [few],
        new: [
          rebuilt(
            inBlocks(
              few, deleted: 2_000..<3_000, inserted: 3_000..<4_000, shuffled: 0..<200,
              random: &random))
        ], budgets: budgets, isSmall: true),
      Workload(
        "100,000 rows: 20,000 deleted, 20,000 inserted, 4,000 shuffled", old: [many],
        new: [
          rebuilt(
            scattered(many, shuffled: 4_000, deleted: 20_000, inserted: 20_000, random: &random))
        ], budgets: budgets),
      Workload(
        "100,000 rows: 10,000, 10,000, 2,000 in blocks, as published", old: [many],
        new: [
          rebuilt(
            inBlocks(
              many, deleted: 20_000..<30_000, inserted: 30_000..<40_000, shuffled: 0..<2_000,
              random: &random))
        ], budgets: budgets),
    ]
  }

  private static func single() -> [Workload] {
    let many = items(0..<100_000)
    var updated = many
    updated[50_000].payload = "Edited"
    let list = items(0..<10_000)
    return [
      Workload(
        "100,000 rows, one updated, two arrays", old: [many], new: [rebuilt(updated)],
        budgets: Budgets(fresh: 0.6, known: 0.05), isSmall: true),
      Workload(
        "10,000 rows, the first moved to the end", old: [list],
        new: [rebuilt(Array(list.dropFirst()) + list.prefix(1))], isSmall: true),
    ]
  }

  private static func sectioned() -> [Workload] {
    var random = SeededGenerator(seed: 100)
    let sections = (0..<100).map { items(($0 * 1_000)..<(($0 + 1) * 1_000)) }
    return [
      Workload(
        "100 sections of 1,000 rows, 1 % changed", old: sections,
        new: changedSections(sections, random: &random).map(rebuilt), budgets: Budgets(fresh: 1))
    ]
  }

  /// Returns lists that are hard for some algorithm, of items with the numbers in a range.
  static func adversarial(_ numbers: Range<Int>) -> [Workload] {
    let rows = numbers.count
    var random = SeededGenerator(seed: UInt64(rows + numbers.lowerBound))
    let list = items(numbers)
    let name = rows.formatted
    let equal = list.enumerated().map { index, item in
      index % 2 == 0 ? Item(id: item.id, payload: "Equal") : item
    }
    let alike = list.map { Item(id: "posts/of/\($0.id)/of/this/blog", payload: $0.payload) }
    let blocks = stride(from: 0, to: rows, by: 100).map { Array(list[$0..<($0 + 100)]) }
    let others = items((numbers.lowerBound + 1_000_000)..<(numbers.upperBound + 1_000_000))
    return [
      Workload(
        "\(name) rows, shuffled", old: [list], new: [rebuilt(list.shuffled(using: &random))]),
      Workload("\(name) rows, reversed", old: [list], new: [rebuilt(list.reversed())]),
      Workload(
        "\(name) rows, blocks of 100 shuffled", old: [list],
        new: [rebuilt(blocks.shuffled(using: &random).flatMap { $0 })]),
      Workload("\(name) rows, all replaced", old: [list], new: [others]),
      Workload(
        "\(name) rows, half with equal contents, shuffled", old: [equal],
        new: [rebuilt(equal.shuffled(using: &random))]),
      Workload(
        "\(name) rows, ids alike at both ends, shuffled", old: [alike],
        new: [rebuilt(alike.shuffled(using: &random))]),
    ]
  }
}
