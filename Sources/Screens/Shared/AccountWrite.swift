public import CanonicalJSON
import HashTreeCollections
public import ViewState

/// What clients can do to the accounts of a store.
public enum AccountWrite<Schema: AccountSchema>: Codable, Sendable {
  /// Creates the holder in a document, with the next free id if it names none.
  case createHolder(JSONValue)
  /// Replaces the holder of the same id; if a version is given, only that one.
  case replaceHolder(Schema.Holder, expecting: Int?)
  /// Deletes a holder with all entries.
  case deleteHolder(ResourceID, expecting: Int?)
  /// Creates the entry in a document, with the next free id if it names none.
  case createEntry(JSONValue, of: ResourceID)
  /// Adds an entry that the server has made.
  case addEntry(Schema.Entry, of: ResourceID)
  case replaceEntry(Schema.Entry, of: ResourceID, expecting: Int?)
  case deleteEntry(ResourceID, of: ResourceID, expecting: Int?)
  /// Lets a source of an account behave by a script from its next load on; `nil` ends that.
  case setFaults(FaultScript?, Schema.Source, of: ResourceID)

  /// What a write answers.
  public enum Output: Codable, Sendable {
    case holder(Versioned<Schema.Holder>)
    case entry(Versioned<Schema.Entry>)
    case done
  }
}

extension AccountData: StoreValue {
  public mutating func apply(
    _ write: AccountWrite<Schema>, at time: Timestamp
  ) throws(Failure) -> Written<AccountWrite<Schema>.Output> {
    let before = ledger.version
    switch write {
    case .createHolder(let body):
      let holder: Schema.Holder
      do {
        holder = try Schema.holder(JSONReader(body), assigned: freeHolderID)
      } catch {
        throw .malformed(error)
      }
      return Written(
        .holder(try insert(holder)), creating: [holder.id.text], of: Schema.holdersName)
    case .replaceHolder(let holder, let version):
      let output = AccountWrite<Schema>.Output.holder(try replace(holder, expecting: version))
      if ledger.version == before { return Written(unchanged: output) }
      return Written(output, changing: [holder.id.text], of: Schema.holdersName)
    case .deleteHolder(let id, let version):
      try removeHolder(id, expecting: version)
      faults[id] = nil
      return Written(.done, removing: [id.text], of: Schema.holdersName)
    case .createEntry(let body, let holder):
      // The holder's own id: a path does not tell a number from a string.
      let id = try self.holder(holder).resource.id
      let entry: Schema.Entry
      do {
        entry = try Schema.entry(JSONReader(body), assigned: freeEntryID(of: id), of: id)
      } catch {
        throw .malformed(error)
      }
      return try inserted(Schema.completed(entry, at: time), of: id)
    case .addEntry(let entry, let holder):
      return try inserted(entry, of: holder)
    case .replaceEntry(let entry, let holder, let version):
      let output = AccountWrite<Schema>.Output.entry(
        try replace(entry, of: holder, expecting: version))
      if ledger.version == before { return Written(unchanged: output) }
      return Written(output, changing: [holder.text], of: Schema.entriesName)
    case .deleteEntry(let id, let holder, let version):
      try removeEntry(id, of: holder, expecting: version)
      return Written(.done, changing: [holder.text], of: Schema.entriesName)
    case .setFaults(let script, let source, let holder):
      guard contains(holder) else { throw .missing(Schema.missingHolder) }
      faults[holder, default: [:]][source] = script
      return Written(unchanged: .done)
    }
  }

  private mutating func inserted(
    _ entry: Schema.Entry, of holder: ResourceID
  ) throws(Failure) -> Written<AccountWrite<Schema>.Output> {
    Written(.entry(try insert(entry, of: holder)), changing: [holder.text], of: Schema.entriesName)
  }
}
