import AllocationCounter
import Foundation
import Snapshots

/// The times of two things measured in turn.
struct Measurement {
  /// Seconds of one run, the medians of all rounds.
  let first: Double
  let second: Double
  /// The median of the rounds' ratios.
  let ratio: Double

  /// Measures two things in turn, A B A B, so that both see the same weather of a shared machine.
  ///
  /// A round repeats its run until it lasts some milliseconds. If a run of the second is a number of
  /// things, the times are those of one.
  init(
    rounds: Int = 9, _ first: () -> Int, _ second: () -> Int, ofCount thingCount: Int = 1
  ) {
    let firstCount = Self.repetitions(of: first)
    let secondCount = Self.repetitions(of: second)
    var times: [(Double, Double)] = []
    for _ in 0..<rounds {
      times.append(
        (
          Self.time(first, count: firstCount),
          Self.time(second, count: secondCount) / Double(thingCount)
        ))
    }
    self.first = Self.median(times.map(\.0))
    self.second = Self.median(times.map(\.1))
    ratio = Self.median(times.map { $0.0 / $0.1 })
  }

  private static func repetitions(of run: () -> Int) -> Int {
    let once = max(time(run, count: 1), 1e-7)
    return max(1, Int(0.005 / once))
  }

  /// Seconds of one run, of the processor's time for this process: what else runs on the machine
  /// takes none of it.
  static func time(_ run: () -> Int, count: Int) -> Double {
    let start = processorTime()
    var total = 0
    for _ in 0..<count { total &+= run() }
    let end = processorTime()
    // The sum is used, so that no run can be left out.
    precondition(total != .min)
    return (end - start) / Double(count)
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

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
