public import CanonicalJSON

extension ScreenRegistry {
  /// Reads several view models at one moment: of what one write moves together, either all show the
  /// write or none does.
  ///
  /// Never waits for a running step.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of names; what it takes once more each
  ///   time a view model came to be while it read, which means that a write got through.
  public func reading(
    of names: [(screen: Text, key: Text)]
  ) -> [Result<ScreenReading, ScreenLookupError>] {
    while true {
      let found = names.map(find)
      let readings = Self.read(found)
      // One that was not there may have come before the others were read: then a list of them could
      // name one that is said not to exist.
      let isSettled = zip(names, found).allSatisfy { name, result in
        guard case .failure(let error) = result else { return true }
        guard case .failure(error) = find(name) else { return false }
        return true
      }
      if isSettled { return readings }
    }
  }

  private func find(
    _ name: (screen: Text, key: Text)
  ) -> Result<any ScreenInstance, ScreenLookupError> {
    Result { () throws(ScreenLookupError) in try instance(screen: name.screen, key: name.key) }
  }

  /// Reads those that have one owner under its gate.
  private static func read(
    _ found: [Result<any ScreenInstance, ScreenLookupError>]
  ) -> [Result<ScreenReading, ScreenLookupError>] {
    var readings = [Result<ScreenReading, ScreenLookupError>](
      repeating: .failure(.unknownScreen), count: found.count)
    var places: [ObjectIdentifier: (owner: SerialOwner, screens: [(Int, any ScreenInstance)])] = [:]
    for (place, result) in found.enumerated() {
      switch result {
      case .failure(let error): readings[place] = .failure(error)
      case .success(let screen):
        places[ObjectIdentifier(screen.owner), default: (screen.owner, [])]
          .screens.append((place, screen))
      }
    }
    for (owner, screens) in places.values {
      owner.atGate {
        for (place, screen) in screens {
          readings[place] =
            screen.isEnded
            ? .failure(.deletedKey)
            : .success(ScreenReading(screen: screen, revision: screen.current))
        }
      }
    }
    return readings
  }
}
