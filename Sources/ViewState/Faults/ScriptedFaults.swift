package import CanonicalJSON
import HashTreeCollections

/// The fault scripts of the sources of all screens. They are the value of a store, so that loads end alike in all
/// engines that apply the same inputs.
package struct ScriptedFaults: StoreValue {
  /// The largest number of scripts and their outcomes together.
  static let limit = 10_000

  /// A new script of a source for a key; `nil` ends the one that there is.
  package struct Write: Codable, Sendable {
    let source: Text
    let key: Text
    let script: FaultScript?

    package init(_ script: FaultScript?, of source: Text, for key: Text) {
      (self.source, self.key, self.script) = (source, key, script)
    }
  }

  /// The scripts by their keys and sources.
  private var scripts: TreeDictionary<Text, [Text: FaultScript]> = [:]

  package init() {}

  /// The rest of the script of a source for a key; `nil` if there is none.
  package private(set) subscript(source: Text, key: Text) -> FaultScript? {
    get { scripts[key]?[source] }
    set {
      scripts[key, default: [:]][source] = newValue
      if scripts[key]?.isEmpty == true { scripts[key] = nil }
    }
  }

  /// The number of scripts and of their outcomes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of scripts.
  private var size: Int {
    scripts.values.reduce(0) { size, ofKey in ofKey.values.reduce(size) { $0 + $1.size } }
  }

  package mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(StoreError) -> Written<Void> {
    let before = self[write.source, write.key]
    let growth = (write.script?.size ?? 0) - (before?.size ?? 0)
    // A script that runs becomes shorter with each load, for which the others are not counted.
    guard growth <= 0 || size + growth <= Self.limit else { throw .full }
    self[write.source, write.key] = write.script
    // The versions of keys that have no script any more are forgotten.
    return switch (before, write.script) {
    case (nil, _?): Written((), creating: [write.key], of: write.source)
    case (_?, nil): Written((), removing: [write.key], of: write.source)
    case (before, before): Written((), of: write.source)
    default: Written((), changing: [write.key], of: write.source)
    }
  }
}

extension Store where Value == ScriptedFaults {
  /// Removes the end of the next work from the script of a source, and returns the work; `nil` if there is no
  /// script.
  ///
  /// - Parameter usual: The work without a script.
  func next(
    _ source: Text, for key: Text, in transaction: inout Transaction,
    usually usual: Work
  ) -> Work? {
    guard var script = transaction[self][source, key] else { return nil }
    let outcome = script.next()
    try? transaction.write(.init(script, of: source, for: key), to: self)
    if outcome == .succeed { return usual.taking(script.latency) }
    return outcome.work(after: script.latency ?? usual.latency)
  }
}
