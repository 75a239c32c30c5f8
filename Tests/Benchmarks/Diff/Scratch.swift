import AllocationCounter
import Snapshots

/// What the engine asks of the allocator for one flat difference.
struct Scratch {
  /// The allocations beside those of the script itself.
  let allocations: Int
  /// The most bytes at one time for each row of the longer list. Those of the script count as far as
  /// they were there already.
  let bytesPerRow: Double

  /// The worst of some engines.
  init(of engines: [any ScriptEngine], for workload: Workload) {
    let rows = max(workload.old[0].count, workload.new[0].count)
    let counts = engines.map { engine in
      let run = engine.prepareScript(workload)
      allocation_counter_start()
      let script = run()
      let counts = allocation_counter_stop()
      // What is still there is the script.
      return withExtendedLifetime(script) { counts }
    }
    allocations = counts.map { $0.allocations - $0.blocks }.max() ?? 0
    bytesPerRow = counts.map { Double($0.peakBytes) / Double(rows) }.max() ?? 0
  }
}
