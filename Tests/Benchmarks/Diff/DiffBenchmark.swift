import Foundation

/// A benchmark that compares the engine with others on the workloads that have budgets, and prints
/// one table.
///
/// An argument selects the workloads whose names contain it; `kept` selects the changes of kept
/// revisions, `steps` the cost of commands, `windows` that of windows. The exit status is 1 if a budget is not met,
/// and 2 if no workload is selected.
@main
enum DiffBenchmark {
  /// The engines to compare with, besides the hashing pass that the budgets are multiples of.
  static let peers: [any DiffEngine] = [SwiftDifference()]

  static func main() async throws {
    var table = Table()
    let filter = CommandLine.arguments.dropFirst().first ?? ""
    // `contains` is false for an empty text.
    let isSelected = { (name: String) in filter.isEmpty || name.contains(filter) }
    let hasKept = isSelected("kept revisions")
    if hasKept { KeptRevisions.keep(revisions: 128, into: &table) }
    for workload in Workload.catalog() where isSelected(workload.name) {
      race(workload, in: &table)
    }
    RenderedRows.measure(into: &table, where: isSelected)
    grow(in: &table, where: isSelected)
    if hasKept { KeptRevisions.measure(into: &table) }
    if isSelected("steps") {
      try await StepCost.measure(into: &table)
      try await SharedChange.measure(into: &table)
    }
    if isSelected("windows") { try WindowCost.measure(into: &table) }
    guard !table.isEmpty else {
      let reason = "benchmark: no workload has “\(filter)” in its name\n"
      FileHandle.standardError.write(Data(reason.utf8))
      exit(2)
    }
    table.print()
    if !table.isMet { exit(1) }
  }

  /// Runs one workload with all engines.
  private static func race(_ workload: Workload, in table: inout Table) {
    let hashing = HashingPass()
    let hash = hashing.prepare(workload)
    let fresh = FreshEngine().prepare(workload)
    let known = KnownEngine().prepare(workload)
    table.add(
      "\(workload.name), fresh", Measurement(fresh, hash), reference: hashing.name,
      atMost: workload.budgets.fresh)
    table.add(
      "\(workload.name), known", Measurement(known, hash), reference: hashing.name,
      atMost: workload.budgets.known)
    let bound = OperationBound(from: workload.old, to: workload.new).count
    let count = max(fresh(), known())
    table.add(
      "  operations", ours: count.formatted, reference: "\(bound.formatted) minimum",
      budget: "≤ \(bound.formatted)", isMet: count <= bound)
    if workload.old.count == 1 {
      let scratch = Scratch(of: [FreshEngine(), KnownEngine()], for: workload)
      table.add(
        "  allocations beside the output", ours: "\(scratch.allocations)", budget: "≤ 20",
        isMet: (1...20).contains(scratch.allocations))
      let bytes = (scratch.bytesPerRow * 10).rounded() / 10
      table.add(
        "  bytes of scratch for each row", ours: "\(bytes)", budget: "≤ 60", isMet: bytes <= 60)
    }
    for peer in peers {
      guard workload.isSmall || !peer.isQuadratic else {
        table.add(
          "  against \(peer.name)", ours: "–", reference: "skipped: minutes", budget: "–",
          isMet: nil)
        continue
      }
      let run = peer.prepare(workload)
      table.add(
        "  against \(peer.name): \(run().formatted) operations",
        Measurement(rounds: 5, fresh, run), reference: peer.name, atMost: nil)
    }
  }

  /// Compares hard lists with lists of a tenth of the rows: *n* log *n* grows by a factor of less
  /// than 14 from 10,000 to 100,000 rows. The hashing pass, whose work is linear, shows the share of
  /// the memory in this growth.
  ///
  /// The same 100,000 rows are compared as one list and as ten, in turn. A single list of 10,000,
  /// repeated, would stay in the processor's caches and train its branch predictor, which is
  /// neither part of how the work grows nor what a server sees.
  ///
  /// Other load on the machine affects these times, so the median is of more rounds than elsewhere.
  private static func grow(in table: inout Table, where isSelected: (String) -> Bool) {
    let tenths = stride(from: 0, to: 100_000, by: 10_000).map {
      Workload.adversarial($0..<($0 + 10_000))
    }
    for (index, many) in Workload.adversarial(0..<100_000).enumerated()
    where isSelected(many.name) {
      for engine in [FreshEngine(), KnownEngine(), HashingPass()] as [any DiffEngine] {
        let runs = tenths.map { engine.prepare($0[index]) }
        table.add(
          "\(many.name), \(engine.name)",
          Measurement(
            rounds: 15, engine.prepare(many), { runs.reduce(0) { $0 &+ $1() } }, ofCount: runs.count
          ),
          reference: "of 10,000", atMost: engine is HashingPass ? nil : 14)
      }
    }
  }
}
