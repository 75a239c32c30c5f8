import CanonicalJSON
import ViewState

/// A screen that shows a part of a store and has no state of its own.
protocol StoreScreen: ScreenMachine where Source == Never {
  associatedtype Value: StoreValue

  /// Where the part comes from, and what commands write to.
  var store: Store<Value> { get }

  /// The part that a key names. O(1) if possible: it is asked for after each write.
  ///
  /// - Throws: `ScreenLookupError` if the key names nothing, or nothing any more.
  func part(of value: Value, for key: Text) throws(ScreenLookupError) -> State
}

extension StoreScreen {
  public func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    try part(of: stores[store], for: key)
  }
}
