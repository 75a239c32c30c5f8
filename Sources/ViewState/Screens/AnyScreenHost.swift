import CanonicalJSON

/// A kind of screen with its instances, whatever the kind.
protocol AnyScreenHost: AnyObject, Sendable {
  var descriptor: ScreenDescriptor { get }
  var stateMachines: [StateMachine] { get }
  func instance(for key: Text) throws(ScreenLookupError) -> any ScreenInstance
  func contains(_ epoch: RevisionEpoch) -> Bool
}
