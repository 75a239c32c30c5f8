import Snapshots

/// Ours, on elements whose ids are hashed within the run.
struct FreshEngine: ScriptEngine {
  let name = "fresh"

  func prepareScript(_ workload: Workload) -> () -> EditScript {
    let lists = ElementLists(old: workload.old, new: workload.new)
    return { EditScript(runs: lists.runs) }
  }
}
