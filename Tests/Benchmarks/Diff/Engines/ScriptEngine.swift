import Snapshots

/// Ours, which gives a script and not only its number of operations.
protocol ScriptEngine: DiffEngine {
  /// What is to be measured, ready to run.
  func prepareScript(_ workload: Workload) -> () -> EditScript
}

extension ScriptEngine {
  func prepare(_ workload: Workload) -> () -> Int {
    let run = prepareScript(workload)
    return { run().operationCount }
  }
}
