package import Snapshots

/// Two lists of sections of tokens, with the laws of their difference.
package struct TokenLists {
  package var old: [[Token]]
  package var new: [[Token]]
  /// The old index of each new section; all sections are kept.
  package var origins: [Int]

  package init(old: [[Token]], new: [[Token]], origins: [Int]? = nil) {
    self.old = old
    self.new = new
    self.origins = origins ?? Array(old.indices)
  }

  /// Creates lists without sections.
  package init(_ old: [Int], _ new: [Int]) {
    self.init(old: [old.map { Token(id: $0) }], new: [new.map { Token(id: $0) }])
  }

  /// The lists in the other direction.
  package var inverse: TokenLists {
    var inverse = origins
    for (new, old) in origins.enumerated() { inverse[old] = new }
    return TokenLists(old: new, new: old, origins: inverse)
  }

  /// Returns the difference that the engine finds.
  package func editScript() -> EditScript {
    let oldRows = old.flatMap { $0 }
    let newRows = new.flatMap { $0 }
    return oldRows.withUnsafeBufferPointer { oldRows in
      newRows.withUnsafeBufferPointer { newRows in
        var newStart = 0
        return EditScript(
          runs: origins.enumerated().map { index, origin in
            let oldStart = old[..<origin].reduce(0) { $0 + $1.count }
            defer { newStart += new[index].count }
            return ElementRun(
              oldStart: ElementPosition(section: Int32(origin), row: 0),
              newStart: ElementPosition(section: Int32(index), row: 0),
              old: UnsafeBufferPointer(
                rebasing: oldRows[oldStart..<(oldStart + old[origin].count)]),
              new: UnsafeBufferPointer(
                rebasing: newRows[newStart..<(newStart + new[index].count)]))
          })
      }
    }
  }

  /// Checks that the difference leads to the new lists with the fewest operations, in both
  /// directions.
  ///
  /// - Throws: ``LawViolation`` if it does not.
  package func checkLaws() throws {
    for lists in [self, inverse] {
      let script = lists.editScript()
      try lists.checkOrder(of: script)
      try lists.checkResult(of: script)
      try lists.checkCounts(of: script)
    }
  }
}

extension TokenLists {
  private func checkOrder(of script: EditScript) throws {
    try require(
      zip(script.deletes, script.deletes.dropFirst()).allSatisfy(>)
        && zip(script.inserts, script.inserts.dropFirst()).allSatisfy(<)
        && zip(script.moves, script.moves.dropFirst()).allSatisfy { $0.to < $1.to }
        && zip(script.updates, script.updates.dropFirst()).allSatisfy { $0.to < $1.to },
      "the order of \(script)")
  }

  /// Performs the operations: arrivals go to their positions, and the kept elements that do not
  /// move fill the others in order.
  private func checkResult(of script: EditScript) throws {
    let gone = Set(script.deletes + script.moves.map(\.from))
    try require(
      gone.count == script.deletes.count + script.moves.count, "two ends of one row in \(script)")
    var arrivals: [ElementPosition: Token] = [:]
    for position in script.inserts { arrivals[position] = self[new: position] }
    for move in script.moves { arrivals[move.to] = self[old: move.from] }
    let updates = Dictionary(uniqueKeysWithValues: script.updates.map { ($0.to, $0.from) })
    for (section, tokens) in new.enumerated() {
      var others = old[origins[section]].indices
        .map { ElementPosition(section: Int32(origins[section]), row: Int32($0)) }
        .filter { !gone.contains($0) }
        .map { self[old: $0] }
        .makeIterator()
      for (row, token) in tokens.enumerated() {
        let position = ElementPosition(section: Int32(section), row: Int32(row))
        var result = arrivals[position] ?? others.next()
        if let from = updates[position] {
          try require(self[old: from].id == token.id, "an update of another row in \(script)")
          try require(result?.content != token.content, "an update of nothing in \(script)")
          result?.content = token.content
        }
        try require(
          result?.id == token.id && result?.content == token.content,
          "\(script) puts \(String(describing: result)) in the place of \(token)")
      }
      try require(others.next() == nil, "\(script) leaves rows over")
    }
  }

  /// Compares the number of operations with the formula: deletes, inserts, updates, rows that
  /// change their section, and of the others all except a longest increasing subsequence.
  private func checkCounts(of script: EditScript) throws {
    var paths: [Int: ElementPosition] = [:]
    for (section, tokens) in old.enumerated() {
      for (row, token) in tokens.enumerated() {
        paths[token.id] = ElementPosition(section: Int32(section), row: Int32(row))
      }
    }
    var (inserts, moves, updates, kept) = (0, 0, 0, 0)
    for (section, tokens) in new.enumerated() {
      var staying: [Int32] = []
      for token in tokens {
        guard let path = paths[token.id] else {
          inserts += 1
          continue
        }
        kept += 1
        if self[old: path].content != token.content { updates += 1 }
        if Int(path.section) == origins[section] { staying.append(path.row) } else { moves += 1 }
      }
      moves += staying.count - NaiveSubsequence.length(of: staying)
    }
    try require(script.deletes.count == paths.count - kept, "deletes of \(script)")
    try require(script.inserts.count == inserts, "inserts of \(script)")
    try require(script.moves.count == moves, "\(script.moves.count) moves instead of \(moves)")
    try require(script.updates.count == updates, "updates of \(script)")
  }

  private subscript(old position: ElementPosition) -> Token {
    old[Int(position.section)][Int(position.row)]
  }

  private subscript(new position: ElementPosition) -> Token {
    new[Int(position.section)][Int(position.row)]
  }
}

extension SeededGenerator {
  /// Returns two lists of up to four sections. The second one is some edits away from the first,
  /// with its sections in another order. The edits are of single rows and of blocks, also across
  /// sections.
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

/// The textbook's longest increasing subsequence, with which the engine's is compared.
package enum NaiveSubsequence {
  /// Returns the length for values of at least 0 by the recurrence over the values before each that are less.
  ///
  /// A Fenwick tree has the greatest lengths of ranges of values, because lists of thousands of rows are compared.
  package static func length(of values: [Int32]) -> Int {
    var greatest = [Int](repeating: 0, count: Int(values.max() ?? 0) + 2)
    return values.reduce(0) { longest, value in
      var (length, index) = (1, Int(value))
      while index > 0 {
        length = max(length, greatest[index] + 1)
        index &= index - 1
      }
      index = Int(value) + 1
      while index < greatest.count {
        greatest[index] = max(greatest[index], length)
        index += index & -index
      }
      return max(longest, length)
    }
  }

  /// Returns all permutations of a list.
  package static func permutations(of values: [Int]) -> [[Int]] {
    guard let first = values.first else { return [[]] }
    return permutations(of: Array(values.dropFirst())).flatMap { rest in
      (0...rest.count).map { Array(rest[..<$0]) + [first] + rest[$0...] }
    }
  }
}
