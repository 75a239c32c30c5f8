public import CanonicalJSON
public import ViewState

/// A screen that shows a part of a shared store and has no state of its own: what is the same for
/// all of them.
public protocol StoreScreen: Screen where Source == Never, Action == StoreChange<State> {
  associatedtype Value: Equatable, Sendable

  /// Where the part comes from, and where commands write.
  var store: SharedStore<Value> { get }

  /// What its writes are put down to.
  var sourceName: Text { get }

  /// The part that a key names. O(1) if it can be: it is asked for after each write.
  ///
  /// - Throws: `ScreenLookupError` where the key names nothing, or nothing any more.
  func part(of value: Value, for key: Text) throws(ScreenLookupError) -> State
}

/// What can happen on a screen that shows a store: the store has changed.
public enum StoreChange<State: Sendable>: Sendable {
  case changed(State)
}

extension StoreScreen {
  public func owner(of key: Text) -> SerialOwner { store.owner }

  public func initialState(for key: Text) throws(ScreenLookupError) -> State {
    try part(of: store.value, for: key)
  }

  public func subscribe(
    to key: Text, showing state: State, inbox: Inbox<Action>
  ) -> (any Cancellable)? {
    store.subscribe(showing: state, { try? part(of: $0, for: key) }, into: inbox) { .changed($0) }
  }

  public func reduce(_ state: inout State, _ action: Action) -> [Effect<Never>] {
    switch action {
    case .changed(let new): state = new
    }
    return []
  }

  public func cause(of action: Action) -> RevisionCause {
    switch action {
    case .changed: .storeWrite(source: sourceName)
    }
  }
}
