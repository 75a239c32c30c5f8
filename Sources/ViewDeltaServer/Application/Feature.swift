public import ViewState

/// A part of an application: screens, the stores that they show, and the REST endpoints of these stores.
///
/// A feature has its configuration, such as the data that it starts with, in its properties.
///
/// ```swift
/// struct NotesFeature: Feature {
///   var notes = Notes()
///
///   func register(in application: inout ApplicationBuilder) throws {
///     let notes = try application.takeData("notes", or: notes) { try Notes($0) }
///     let store = Store("notes", notes, in: application.engine)
///     application.add(NoteScreen(store: store), keys: .collection(path: "/v1/notes", title: "title"))
///     application.add(NoteEndpoints(store: store).collection)
///   }
/// }
/// ```
public protocol Feature: Sendable {
  /// Adds the screens and endpoints of the feature to an application.
  ///
  /// - Throws: Any error that keeps the application from starting, such as `JSONShapeError` for a data
  ///   file with an invalid member.
  func register(in application: inout ApplicationBuilder) throws
}

/// A feature that consists of one screen.
///
/// A list of features may contain a screen directly. This type adds the list of its keys, for clients.
///
/// ```swift
/// let application = try Application(configuration) {
///   Groceries()
///   ScreenFeature(Lights(), keys: .only(["hall", "kitchen"]))
/// }
/// ```
public struct ScreenFeature<S: Screen>: Feature {
  private let screen: S
  private let keys: ScreenKeys?

  /// Creates the feature of a screen.
  ///
  /// - Parameters:
  ///   - screen: The screen.
  ///   - keys: The list of its keys, for clients. Without it a client has to know the keys.
  public init(_ screen: S, keys: ScreenKeys? = nil) {
    self.screen = screen
    self.keys = keys
  }

  public func register(in application: inout ApplicationBuilder) {
    application.add(screen, keys: keys)
  }
}

/// Builds the list of features of an application from features and screens.
@resultBuilder
public enum FeatureBuilder {
  /// Adds a feature.
  public static func buildExpression(_ feature: some Feature) -> [any Feature] { [feature] }

  /// Adds a screen.
  public static func buildExpression(_ screen: some Screen) -> [any Feature] {
    [ScreenFeature(screen)]
  }

  /// Adds a screen that is a feature itself.
  public static func buildExpression(_ feature: some Feature & Screen) -> [any Feature] {
    [feature]
  }

  /// Adds all features of a list.
  public static func buildExpression(_ features: [any Feature]) -> [any Feature] { features }

  public static func buildBlock(_ features: [any Feature]...) -> [any Feature] {
    features.flatMap(\.self)
  }

  public static func buildOptional(_ features: [any Feature]?) -> [any Feature] { features ?? [] }

  public static func buildEither(first features: [any Feature]) -> [any Feature] { features }

  public static func buildEither(second features: [any Feature]) -> [any Feature] { features }

  public static func buildArray(_ features: [[any Feature]]) -> [any Feature] {
    features.flatMap(\.self)
  }
}
