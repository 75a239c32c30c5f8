public import CanonicalJSON

/// A value in memory that screens show and clients write.
///
/// ```swift
/// let engine = Engine(environment: environment)
/// let numbers = Store("numbers", Numbers(), in: engine)
/// try await numbers.write(["one": 1])
/// numbers.value.numbers  // ["one": 1]
/// ```
public final class Store<Value: StoreValue>: AnyStore {
  /// The name of the store, unique in the engine.
  public let name: Text
  /// The engine that orders the writes.
  public let engine: Engine
  /// The index among the stores of the engine.
  let index: Int

  /// Adds a store to an engine.
  ///
  /// - Precondition: The engine has no other store of this name, and no input has been applied.
  public init(_ name: Text, _ value: Value, in engine: Engine) {
    self.name = name
    self.engine = engine
    index = engine.add(value, named: name)
    engine.contents.add(self)
  }

  /// The published value, which the view models show.
  ///
  /// - Complexity: O(1).
  public var value: Value { engine.stores[self] }

  /// Applies a write, and returns after all view models show it.
  ///
  /// - Throws: ``StoreError`` if the value refuses the write, or if a journal cannot record it; nothing has changed then.
  ///   ``StoreError/unconfirmed`` if a journal does not confirm the write in time; it may still be applied.
  @discardableResult
  public func write(_ write: Value.Write) async throws(StoreError) -> Value.Output {
    try await engine.submit(WriteInput(store: self, write: write))
  }
}

extension Store where Value.Output: Codable {
  /// Applies a write once for each key: a request with a key that was used before gets the outcome of the
  /// first request, and nothing is written. Returns after all view models show the write.
  ///
  /// ```swift
  /// let note = try await notes.write(.create(body), once: request.idempotencyKey)
  /// ```
  ///
  /// - Parameters:
  ///   - write: The write.
  ///   - key: The key of the request; `nil` if it has none.
  /// - Throws: ``StoreError`` as without a key, and ``StoreError/reusedKey`` if the key was used for another request.
  @discardableResult
  public func write(
    _ write: Value.Write, once key: RequestKey?
  ) async throws(StoreError) -> Value.Output {
    guard let key else { return try await self.write(write) }
    return try await engine.submit(Once(input: WriteInput(store: self, write: write), key: key))
  }
}

/// A store without the type of its value.
protocol AnyStore: AnyObject, Sendable {
  /// Reads a write to the store.
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input
}

extension Store {
  func input(_ json: JSONReader) throws(JSONShapeError) -> any Input {
    WriteInput(store: self, write: try json.member("write").decode(Value.Write.self))
  }
}

/// A write to a store.
struct WriteInput<Value: StoreValue>: RequestInput {
  typealias Success = Value.Output
  typealias Failure = StoreError

  let store: Store<Value>
  let write: Value.Write

  var subject: Text { store.name }

  var memoryByteCount: Int {
    (write as? any MeasuredWrite ?? (try? JSONValue(encoding: write)))?.memoryByteCount ?? 0
  }

  func json() throws(JSONShapeError) -> JSONValue {
    ["kind": "write", "store": .string(store.name), "write": try JSONValue(encoding: write)]
  }

  func apply(in step: Step) -> Result<Value.Output, StoreError> {
    Result { () throws(StoreError) in try step.transaction.write(write, to: store) }
  }
}

/// A write that knows its size, so that it need not be encoded to find it.
protocol MeasuredWrite {
  /// The estimated memory of what the write brings, in bytes.
  var memoryByteCount: Int { get }
}

extension JSONValue: MeasuredWrite {}

extension WriteInput: RepeatableInput where Value.Output: Codable {}
