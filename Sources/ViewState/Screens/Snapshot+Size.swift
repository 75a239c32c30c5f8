import Snapshots

extension Snapshot {
  /// What keeping the snapshot costs where it shares nothing with another, in bytes, estimated.
  ///
  /// - Complexity: O(n), where n is the number of rows.
  var estimatedByteCount: Int {
    sections.reduce(sharedByteCount) { total, section in
      section.rows.reduce(total) { $0 + $1.encoded.count }
    }
  }

  /// What it costs beside a neighbour that has the same rows, in bytes, estimated: the places that
  /// hold them and their entries in the index.
  var sharedByteCount: Int { rowCount * (MemoryLayout<Row>.stride + 32) }
}
