import CanonicalJSON

/// A row knows its hashes since it was made, so that none is computed for a difference.
extension Row: DifferenceElement {
  @usableFromInline package func hasSameContent(as other: Row) -> Bool { self == other }

  @usableFromInline package var identityByte: UInt8 { FoldedHash.ends(of: id.string) }

  /// The id's hash, which is under a key of the process already.
  @usableFromInline package func identityHash(key: UInt64) -> UInt64 {
    UInt64(bitPattern: Int64(idHash))
  }
}

extension EditScript {
  /// Finds what turns the old rows of all runs into the new ones: the engine compiled for rows,
  /// here where what they are made of is known.
  package init(rows runs: [ElementRun<Row>]) {
    self.init(runs: runs)
  }
}
