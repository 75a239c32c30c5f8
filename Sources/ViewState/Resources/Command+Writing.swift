extension Command {
  /// Returns the same command with a closure that returns a write to a store.
  ///
  /// ```swift
  /// Command("remove", "Deletes a todo.", .id("todo")).writing(to: todos) { _, id in .delete(id) }
  /// ```
  public func writing<Value: StoreValue>(
    to store: Store<Value>,
    _ write: @escaping @Sendable (State, repeat each Argument) throws -> Value.Write
  ) -> Command {
    writing { (state, transaction, values: repeat each Argument) in
      _ = try transaction.write(write(state, repeat each values), to: store)
    }
  }
}
