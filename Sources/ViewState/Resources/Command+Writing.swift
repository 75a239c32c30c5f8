import CanonicalJSON

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
