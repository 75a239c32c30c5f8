import CanonicalJSON

/// A place in an order, named by what stands beside it.
enum Anchor {
  case before(Text)
  case after(Text)

  /// The id of the neighbour.
  var id: Text {
    switch self {
    case .before(let id), .after(let id): id
    }
  }

  /// Where what goes here is inserted if the neighbour stands at a position.
  func insertionPosition(of neighbour: Int) -> Int {
    switch self {
    case .before: neighbour
    case .after: neighbour + 1
    }
  }
}
