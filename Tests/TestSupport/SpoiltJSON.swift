public import CanonicalJSON

extension JSONValue {
  /// The value with one part of it, at a random depth, left out or replaced by any other.
  public func spoilt(_ random: inout SeededGenerator) -> JSONValue {
    switch self {
    case .array(var elements) where !elements.isEmpty && random.chance(0.9):
      let index = random.number(in: 0...(elements.count - 1))
      if random.chance(0.1) {
        elements.remove(at: index)
      } else if random.chance(0.1) {
        elements.append(elements[index])
      } else {
        elements[index] = elements[index].spoilt(&random)
      }
      return .array(elements)
    case .object(var members) where !members.isEmpty && random.chance(0.9):
      let name = random.pick(members.keys.sorted())
      members[name] = random.chance(0.1) ? nil : members[name]?.spoilt(&random)
      return .object(members)
    default:
      return random.chance(0.2) ? .string("9223372036854775807") : random.json()
    }
  }
}
