/// A value of a store that has rules of the program beside its data, such as limits. A journal records them with the data,
/// but another program has its own.
protocol RuledValue: StoreValue {
  /// Takes over the rules of the value with which the program would begin.
  mutating func takeRules(of program: Self)
}

extension RuledValue {
  fileprivate func ruled(by program: Any) -> Self {
    var value = self
    if let program = program as? Self { value.takeRules(of: program) }
    return value
  }
}

extension StoreValue {
  /// Returns the value with the rules of the value with which the program would begin.
  func withRules(of program: Self) -> Self {
    (self as? any RuledValue)?.ruled(by: program) as? Self ?? self
  }
}
