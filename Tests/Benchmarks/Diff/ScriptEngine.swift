import CanonicalJSON
import Snapshots

/// ViewDelta's engine, which returns a script and not only its number of operations.
protocol ScriptEngine: DiffEngine {
  /// Returns the closure to measure.
  func prepareScript(_ workload: Workload) -> () -> EditScript
}

extension ScriptEngine {
  func prepare(_ workload: Workload) -> () -> Int {
    let run = prepareScript(workload)
    return { run().operationCount }
  }
}

/// ViewDelta's engine on the rows of a server, whose hashes are known. An unchanged row is the same
/// object in both lists.
struct KnownEngine: ScriptEngine {
  let name = "known"

  func prepareScript(_ workload: Workload) -> () -> EditScript {
    var rows: [Item: Row] = [:]
    func rowsOf(_ items: [Item]) -> [Row] {
      items.map { item in
        if let row = rows[item] { return row }
        let row = Row(id: Text(item.id), type: "post", fields: ["payload": .string(item.payload)])
        rows[item] = row
        return row
      }
    }
    let lists = ElementLists(old: workload.old.map(rowsOf), new: workload.new.map(rowsOf))
    return { EditScript(rows: lists.runs) }
  }
}

/// ViewDelta's engine on elements whose ids are hashed within the run.
struct FreshEngine: ScriptEngine {
  let name = "fresh"

  func prepareScript(_ workload: Workload) -> () -> EditScript {
    let lists = ElementLists(old: workload.old, new: workload.new)
    return { EditScript(runs: lists.runs) }
  }
}

/// Two lists of sections in allocated memory, which the engine reads in place: a measured run
/// copies nothing.
final class ElementLists<Element: DifferenceElement> {
  let runs: [ElementRun<Element>]

  /// Creates lists of sections, in which sections with the same index correspond.
  init(old: [[Element]], new: [[Element]]) {
    runs = zip(old, new).enumerated().map { index, lists in
      let start = ElementPosition(section: Int32(index), row: 0)
      return ElementRun(
        oldStart: start, newStart: start, old: Self.copy(lists.0), new: Self.copy(lists.1))
    }
  }

  deinit {
    // Each buffer was allocated and initialised as a whole by `copy`, and belongs to this object.
    for run in runs {
      UnsafeMutableBufferPointer(mutating: run.old).deinitialize().deallocate()
      UnsafeMutableBufferPointer(mutating: run.new).deinitialize().deallocate()
    }
  }

  private static func copy(_ elements: [Element]) -> UnsafeBufferPointer<Element> {
    let buffer = UnsafeMutableBufferPointer<Element>.allocate(capacity: elements.count)
    _ = buffer.initialize(fromContentsOf: elements)
    return UnsafeBufferPointer(buffer)
  }
}
