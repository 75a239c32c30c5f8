import Snapshots

/// Every write returns once the screens that show what it changed have published it, so that
/// whoever was told of the write also sees it.
extension AccountStore {
  /// Creates a holder; `make` is given the id to use where the caller has none of its own.
  public func createHolder(
    _ make: (ResourceID) throws -> Schema.Holder
  ) async throws -> Versioned<Schema.Holder> {
    try await base.create(make, assigned: \.freeHolderID) { holder throws(Failure) in
      try await base.write { data throws(Failure) in (try data.insert(holder), holder.id, []) }
    }
  }

  /// Puts the holder in the place of the one with the same id. Where it is the same, nothing changes
  /// and nobody hears of it.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func replace(
    _ holder: Schema.Holder, expecting version: Int?
  ) async throws(Failure) -> Versioned<Schema.Holder> {
    try await base.write { data throws(Failure) in
      let before = data.ledger.version
      let replaced = try data.replace(holder, expecting: version)
      return (replaced, holder.id, data.ledger.version == before ? [] : [.holder(holder)])
    }
  }

  /// Deletes a holder with all entries.
  public func deleteHolder(_ id: ResourceID, expecting version: Int?) async throws(Failure) {
    try await base.write { data throws(Failure) in
      (try data.removeHolder(id, expecting: version), id, [.removed])
    }
  }

  /// Creates an entry of an account; `make` is given the id to use where the caller has none of
  /// its own.
  public func createEntry(
    of holder: ResourceID, _ make: (ResourceID) throws -> Schema.Entry
  ) async throws -> Versioned<Schema.Entry> {
    try await base.create(make, assigned: { $0.freeEntryID(of: holder) }) { entry throws(Failure) in
      try await writeEntries(of: holder) { data throws(Failure) in
        try data.insert(completed(entry), of: holder)
      }
    }
  }

  /// Puts the entry in the place of the one with the same id. Where it is the same, nothing changes
  /// and nobody hears of it.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func replace(
    _ entry: Schema.Entry, of holder: ResourceID, expecting version: Int?
  ) async throws(Failure) -> Versioned<Schema.Entry> {
    try await base.write { data throws(Failure) in
      let before = data.ledger.version
      let replaced = try data.replace(entry, of: holder, expecting: version)
      return (
        replaced, holder,
        data.ledger.version == before ? [] : [.entries(data.entries(of: holder) ?? [])]
      )
    }
  }

  /// Deletes an entry.
  ///
  /// - Parameter version: where it is given, only if the present one is of this version.
  public func deleteEntry(
    _ id: ResourceID, of holder: ResourceID, expecting version: Int?
  ) async throws(Failure) {
    try await writeEntries(of: holder) { data throws(Failure) in
      try data.removeEntry(id, of: holder, expecting: version)
    }
  }

  private func writeEntries<Value: Sendable>(
    of holder: ResourceID, _ change: (inout AccountData<Schema>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await base.write { data throws(Failure) in
      let value = try change(&data)
      return (value, holder, [.entries(data.entries(of: holder) ?? [])])
    }
  }
}
