import Snapshots

/// Ours, on elements whose ids are hashed within the run.
struct FreshEngine: DiffEngine {
  let name = "fresh"

  func prepare(_ workload: Workload) -> () -> Int {
    let lists = ElementLists(old: workload.old, new: workload.new)
    return { EditScript(runs: lists.runs).operationCount }
  }
}
