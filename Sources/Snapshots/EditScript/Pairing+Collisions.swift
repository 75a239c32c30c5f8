/// The few left-overs whose candidate shares their hash and nothing else.
extension Pairing {
  /// Pairs new left-overs with the old ones that they are, by a table of all that are not paired yet,
  /// in which elements of one hash stand side by side.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of left-overs of both lists.
  @inlinable
  package mutating func matchCollisions<Element: DifferenceElement & ~Copyable>(
    of others: [Int32], in elements: [ElementRun<Element>], table: inout IdentifierTable
  ) {
    insertUnpaired(of: elements, into: &table)
    var run = 0
    for ordinal in others.lazy.map({ Int($0) }) {
      while !newLeftovers(ofRun: run).contains(ordinal) { run += 1 }
      let element = pointer(toNewLeftover: ordinal, ofRun: elements[run])
      let origin = table.first(hash: element.pointee.identityHash(key: table.key)) {
        pointer(toOldLeftover: $0, of: elements).pointee.isSameItem(as: element.pointee)
      }
      guard let origin, !isPaired[origin] else { continue }
      let isUnchanged = pointer(toOldLeftover: origin, of: elements).pointee
        .hasSameContent(as: element.pointee)
      pair(ordinal, ofRun: run, with: origin, isUnchanged: isUnchanged)
    }
  }

  /// Fills the table with the old left-overs that are in no pair.
  @inlinable
  package func insertUnpaired<Element: DifferenceElement & ~Copyable>(
    of elements: [ElementRun<Element>], into table: inout IdentifierTable
  ) {
    table.clear(forCount: oldLeftoverCount - leftoverPairCount, indicesBelow: oldLeftoverCount)
    for run in runs.indices {
      for ordinal in oldLeftovers(ofRun: run) where !isPaired[ordinal] {
        let element = pointer(toOldLeftover: ordinal, inRun: run, of: elements)
        table.insert(ordinal, hash: element.pointee.identityHash(key: table.key)) { other in
          pointer(toOldLeftover: other, of: elements).pointee.isSameItem(as: element.pointee)
        }
      }
    }
  }
}
