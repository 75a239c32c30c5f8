public import CanonicalJSON

/// The reason why a store refuses a read or a write, which changes nothing then.
public enum StoreError: KeyRefusal, Hashable {
  /// No element of this kind has the id.
  case missing(MissingElement)
  /// A resource has the id already.
  case duplicateID(ResourceID)
  /// The version of the resource is not the expected one.
  case changedMeanwhile
  /// The store has reached a limit.
  case full
  /// The body is not a valid resource of this kind.
  case malformed(JSONShapeError)
  /// The key of the request was used for another request before.
  case reusedKey
  /// The journal cannot record the write now.
  case notRecorded
  /// The journal has not confirmed in time that it has recorded the write, which may still be applied.
  case unconfirmed
}

extension StoreError {
  public var isFinal: Bool {
    self != .changedMeanwhile && self != .notRecorded && self != .unconfirmed
  }
}

extension Refusal {
  /// Creates the refusal of a command whose write a store has refused.
  ///
  /// ```swift
  /// do throws(StoreError) {
  ///   _ = try transaction.write(.delete(id), to: todos)
  /// } catch {
  ///   throw Refusal(error)
  /// }
  /// ```
  public init(_ error: StoreError) {
    switch error {
    case .malformed(let error): self.init(error)
    case .missing(let element): self.init("type", "there is no such \(element.noun)")
    case .duplicateID(let id): self.init("id", "the id \(id) is in use")
    case .full: self.init("type", "the store is full")
    case .changedMeanwhile: self.init("type", "another write came first")
    case .reusedKey: self.init("type", "the key was used for another request before")
    case .notRecorded: self.init("type", "the journal cannot record the write now")
    case .unconfirmed: self.init("type", "the journal has not confirmed the write")
    }
  }
}

extension Command {
  /// Returns the same command with a closure that returns a write to a store. If the store refuses the write, the
  /// client gets a 422 that points to the argument at fault: the argument with the name of the wrong member, or the
  /// only id if an element is missing. If there is no such argument, the 422 points to the body and names the member.
  ///
  /// ```swift
  /// Command("remove", "Deletes a todo.", .id("todo")).writing(to: todos) { _, id in .delete(id) }
  /// ```
  public func writing<Value: StoreValue>(
    to store: Store<Value>,
    _ write: @escaping @Sendable (State, repeat each Argument) throws(Refusal) -> Value.Write
  ) -> Command where Value.Refusal == StoreError {
    writing { (state, transaction, values: repeat each Argument) throws(Refusal) in
      let write = try write(state, repeat each values)
      do throws(Value.Refusal) {
        _ = try transaction.write(write, to: store)
      } catch {
        throw refusal(error)
      }
    }
  }

  /// Refuses a command for a write, with a pointer into the body of the command.
  private func refusal(_ error: StoreError) -> Refusal {
    var (names, ids): (Set<Text>, [Text]) = (["type"], [])
    for (name, isID) in argumentNames {
      names.insert(name)
      if isID { ids.append(name) }
    }
    let refusal = Refusal(error)
    switch error {
    case .missing where ids.count == 1: return Refusal(ids[0], refusal.message)
    case .duplicateID where !names.contains("id") && ids.count == 1:
      return Refusal(ids[0], refusal.message)
    default: break
    }
    guard let member = refusal.pointer.tokens.first, !names.contains(member) else { return refusal }
    return Refusal(pointer: .root, message: "\(refusal.pointer): \(refusal.message)")
  }
}
