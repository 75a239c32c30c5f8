import AllocationCounter
import Foundation
import Snapshots

/// The times of two closures measured in turn.
struct Measurement {
  /// Seconds per run, the medians of all rounds.
  let first: Double
  let second: Double
  /// The median of the rounds' ratios.
  let ratio: Double

  /// Measures two closures in turn, A B A B, so that both see the same load of a shared machine.
  ///
  /// A round repeats its run until it takes some milliseconds. If a run of the second closure
  /// processes several items, the times are per item.
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
    self.init(first: times.map(\.0), second: times.map(\.1))
  }

  /// Creates a measurement of times that were taken in turn.
  init(first: [Double], second: [Double]) {
    self.first = Self.median(first)
    self.second = Self.median(second)
    ratio = Self.median(zip(first, second).map { $0 / $1 })
  }

  private static func repetitions(of run: () -> Int) -> Int {
    let once = max(time(run, count: 1), 1e-7)
    return max(1, Int(0.005 / once))
  }

  /// Returns the seconds per run as processor time of this process, which other load on the machine
  /// does not increase.
  static func time(_ run: () -> Int, count: Int) -> Double {
    let start = processorTime()
    var total = 0
    for _ in 0..<count { total &+= run() }
    let end = processorTime()
    // The sum is used, so that the compiler can remove no run.
    precondition(total != .min)
    return (end - start) / Double(count)
  }

  /// The processor time of this process so far, in seconds.
  static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  static func median(_ values: [Double]) -> Double {
    values.sorted()[values.count / 2]
  }
}

/// The allocations of the engine during one flat difference.
struct Scratch {
  /// The number of allocations besides those of the script.
  let allocations: Int
  /// The largest number of bytes at one time per row of the longer list. It includes those parts of
  /// the script that existed at that time.
  let bytesPerRow: Double

  /// Creates the maximum over some engines.
  init(of engines: [any ScriptEngine], for workload: Workload) {
    let rows = max(workload.old[0].count, workload.new[0].count)
    let counts = engines.map { engine in
      let run = engine.prepareScript(workload)
      allocation_counter_start()
      let script = run()
      let counts = allocation_counter_stop()
      // The memory that is still allocated is that of the script.
      return withExtendedLifetime(script) { counts }
    }
    allocations = counts.map { $0.allocations - $0.blocks }.max() ?? 0
    bytesPerRow = counts.map { Double($0.peakBytes) / Double(rows) }.max() ?? 0
  }
}
