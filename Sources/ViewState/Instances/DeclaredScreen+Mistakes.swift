import CanonicalJSON

/// Mistakes in the declaration of a screen that compile.
extension DeclaredScreen {
  /// Checks what a screen keeps as properties.
  ///
  /// - Precondition: Each part is among the parts of the screen, and each requirement of ``Screen`` has the type that the
  ///   protocol asks for: with another one it would have no effect.
  static func checkProperties(of screen: Declaration, _ parts: [any RunningPart<State>]) {
    let names = Set(parts.map { $0.name })
    for (name, value) in Mirror(reflecting: screen).children {
      // Its rows can be shown, and its work would never start.
      if let part = value as? any ScreenPart<State>, !names.contains(part.name) {
        fatalError("add the part \(part.name) to parts of the screen \(Declaration.name)")
      }
      if name == "isPersonal" {
        fatalError("make isPersonal of the screen \(Declaration.name) static")
      }
      if name == "language", screen.language == nil, value is Language {
        fatalError("give language of the screen \(Declaration.name) the type Language?")
      }
    }
  }

  #if DEBUG
    /// Returns the name of a member of a state that needs a part; `nil` if there are as many parts of each type.
    static func memberWithoutPart(_ state: State, _ parts: [any RunningPart<State>]) -> String? {
      var partCounts: [ObjectIdentifier: Int] = [:]
      for part in parts {
        partCounts[ObjectIdentifier(type(of: part.place).valueType), default: 0] += 1
      }
      return Mirror(reflecting: state).children.first { _, value in
        guard value is any PartState else { return false }
        partCounts[ObjectIdentifier(type(of: value)), default: 0] -= 1
        return partCounts[ObjectIdentifier(type(of: value)), default: 0] < 0
      }?.label
    }
  #endif
}
