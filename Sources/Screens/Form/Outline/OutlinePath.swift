import ViewState

/// Where a row stands in a form: in which section, and at which place of each list of rows from
/// there on. Only ever held while one operation looks at one outline: rows are named by ids.
struct OutlinePath: Equatable {
  let section: Int
  /// At least one.
  let places: [Int]

  /// Whether the other row stands beneath this one, or is this one.
  func contains(_ other: OutlinePath) -> Bool {
    section == other.section && other.places.starts(with: places)
  }
}

extension FormOutline {
  /// Where the row of an id stands.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows; so is finding the place of a path.
  func path(of id: ResourceID) -> OutlinePath? {
    for (section, content) in sections.enumerated() {
      if let places = content.rows.places(of: id) {
        return OutlinePath(section: section, places: places)
      }
    }
    return nil
  }

  /// The row at a path.
  subscript(path: OutlinePath) -> FormRow {
    get { sections[path.section].rows[path.places[...]] }
    set { sections[path.section].rows[path.places[...]] = newValue }
  }

  /// Changes the list that a row stands in.
  ///
  /// - Parameter change: is given the list and the place of the row.
  mutating func changeSiblings(
    of path: OutlinePath, _ change: (inout [FormRow], Int) -> Void
  ) {
    sections[path.section].rows.changeSiblings(of: path.places[...], change)
  }

  /// The row of an id.
  func row(_ id: ResourceID) -> FormRow? { path(of: id).map { self[$0] } }
}

extension [FormRow] {
  fileprivate func places(of id: ResourceID) -> [Int]? {
    for (place, row) in enumerated() {
      if row.id == id { return [place] }
      if let places = row.children.places(of: id) { return [place] + places }
    }
    return nil
  }

  fileprivate subscript(places: ArraySlice<Int>) -> FormRow {
    get {
      let row = self[places[places.startIndex]]
      return places.count == 1 ? row : row.children[places.dropFirst()]
    }
    set {
      let place = places[places.startIndex]
      if places.count == 1 {
        self[place] = newValue
      } else {
        self[place].children[places.dropFirst()] = newValue
      }
    }
  }

  fileprivate mutating func changeSiblings(
    of places: ArraySlice<Int>, _ change: (inout [FormRow], Int) -> Void
  ) {
    let place = places[places.startIndex]
    if places.count == 1 {
      change(&self, place)
    } else {
      self[place].children.changeSiblings(of: places.dropFirst(), change)
    }
  }
}
