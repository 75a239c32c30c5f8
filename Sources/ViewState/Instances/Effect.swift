/// An effect of an input on a view model outside of its state.
///
/// Effects are data: a screen returns them, and the engine acts on them after the input is published.
enum Effect: Hashable {
  /// Starts work.
  case start(PartWork, LoadToken)
  /// Cancels the call and the time-out of work that has ended for the instance.
  case end(PartWork, LoadToken)
}
