/// A write to a store that is prepared in a turn and becomes visible at its end.
protocol StoreDraft {
  /// Tells everybody of the write who shows the store and has not been told.
  func tellNewcomers(in turn: Turn)
  /// Whether nobody came since. Called under the gate.
  var isComplete: Bool { get }
  /// Puts the new value in the place of the old one. Called under the gate.
  func commit()
}
