/// A place in an order, named by what stands beside it.
enum Anchor {
  case before(String)
  case after(String)

  /// The id of the neighbour.
  var id: String {
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
