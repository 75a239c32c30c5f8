/// A value of a store that has rules of the program beside its data, such as limits. A journal records them with the data,
/// but another program has its own.
protocol RuledValue: StoreValue {
  /// Takes over the rules of the value with which the program would begin.
  mutating func takeRules(of program: Self)
}

extension StoreValue {
  /// Returns the value with the rules of the value with which the program would begin.
  func withRules(of program: Self) -> Self {
    func ruled<Value: RuledValue>(_ value: Value) -> Self {
      var value = value
      if let program = program as? Value { value.takeRules(of: program) }
      return value as? Self ?? self
    }
    guard let value = self as? any RuledValue else { return self }
    return ruled(value)
  }
}
