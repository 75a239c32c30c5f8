/// A view model at the moment at which it was read.
public struct ScreenReading: Sendable {
  /// Which one.
  public let screen: any ScreenInstance
  /// What it showed.
  public let revision: Revision
}
