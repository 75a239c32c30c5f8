public import CanonicalJSON
import ViewState

/// The stores and screens that a program no longer has, so that it drops what a journal has of them.
///
/// A program does not start with a journal that has a store, or states of a screen, that the program lacks: a name with
/// a typing error would lose all data. This feature names those that are gone on purpose:
///
/// ```swift
/// let application = try Application(configuration) {
///   Groceries()
///   Retired(stores: ["notes"], screens: ["note"])
/// }
/// ```
///
/// The first start drops their data, and the commands, writes and results that were for them; copies of the journal keep
/// it. Remove the feature once each journal of the program was started with it. The name of a store or screen that the
/// program has does nothing here.
public struct Retired: Feature {
  private let stores: [Text]
  private let screens: [Text]

  /// Names stores and screens that are gone.
  public init(stores: [Text] = [], screens: [Text] = []) {
    (self.stores, self.screens) = (stores, screens)
  }

  public func register(in application: inout ApplicationBuilder) {
    application.engine.retire(stores: stores, screens: screens)
  }
}
