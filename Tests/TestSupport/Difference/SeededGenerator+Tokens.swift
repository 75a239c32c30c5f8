extension SeededGenerator {
  /// Two lists of up to four sections, the second some edits away from the first, with its sections
  /// in another order. Edits are of single rows and of blocks, also across sections.
  package mutating func tokenLists(maximumRows: Int = 60) -> TokenLists {
    let sections = number(in: 1...4)
    var nextID = 0
    func fresh(_ count: Int) -> [Token] {
      defer { nextID += count }
      return (nextID..<(nextID + count)).map { Token(id: $0) }
    }
    let old = (0..<sections).map { _ in fresh(number(in: 0...maximumRows)) }
    var new = old
    for _ in 0..<number(in: 0...12) {
      let section = number(in: 0...(sections - 1))
      let start = number(in: 0...new[section].count)
      let length = chance(0.7) ? 1 : number(in: 1...30)
      let block = start..<min(start + length, new[section].count)
      switch number(in: 0...4) {
      case 0:
        new[section].removeSubrange(block)
      case 1:
        new[section].insert(contentsOf: fresh(length), at: start)
      case 2:
        for row in block { new[section][row].content += 1 }
      case 3:
        new[section][block].shuffle(using: &self)
      default:
        let moved = new[section][block]
        new[section].removeSubrange(block)
        let target = number(in: 0...(sections - 1))
        new[target].insert(contentsOf: moved, at: number(in: 0...new[target].count))
      }
    }
    let origins = Array(old.indices).shuffled(using: &self)
    return TokenLists(old: old, new: origins.map { new[$0] }, origins: origins)
  }
}
