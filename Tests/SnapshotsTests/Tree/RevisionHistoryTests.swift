import CanonicalJSON
import TestSupport
import Testing

@testable import Snapshots

/// A history of revisions, each made from the one before by some operations.
@Suite struct RevisionHistoryTests {
  static let history: [Snapshot] = {
    do {
      var script = RandomEdits(random: SeededGenerator(seed: 128))
      try script.grow(to: 80, by: 30...50)
      var history = [script.snapshot]
      while history.count < 128 {
        try script.step()
        if script.snapshot.numberOfItems > 90 { try script.shrink(to: 60, by: 10...30) }
        history.append(script.snapshot)
      }
      return history
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  /// A third of all pairs, with each distance in both directions.
  @Test(arguments: 0..<8)
  func `two of 128 revisions have a diff that leads from one to the other`(part: Int) throws {
    for (oldIndex, old) in Self.history.enumerated() where oldIndex % 8 == part {
      for (newIndex, new) in Self.history.enumerated() where (oldIndex + newIndex) % 3 == 0 {
        let changeset = new.difference(from: old)
        try require(
          try old.applying(changeset).digest == new.digest,
          "the diff from \(oldIndex) to \(newIndex)")
        if oldIndex > newIndex { continue }
        try BatchUpdateSimulator(before: old, after: new, changeset: changeset).run()
      }
    }
  }

  @Test func `a diff does not depend on what the revisions share`() throws {
    for (old, new) in zip(Self.history, Self.history.dropFirst()) {
      let apart = try Snapshot(
        states: new.states,
        sections: new.sections.map {
          Section(
            id: $0.id, fields: $0.fields, generation: $0.generation, rows: Array($0.rows))
        })
      let shared = new.difference(from: old)
      let unshared = apart.difference(from: old)
      try require(shared == unshared, "\(shared) with shared parts, \(unshared) without")
    }
  }

  @Test func `sections of different revisions form a snapshot with distinct nodes`() throws {
    var mixedCount = 0
    try withSeeds(400) { random in
      let base = random.pick(Self.history)
      let other = random.pick(Self.history)
      let third = random.pick(Self.history)
      var sections = base.sections.map { section in
        random.chance(0.5)
          ? section : other.index(ofSection: section.id).map { other.sections[$0] } ?? section
      }
      if random.chance(0.5), let section = third.sections.last {
        sections.append(Section(id: "again", rows: section.rows))
      }
      guard let mixed = try? Snapshot(sections: sections, reusing: base) else { return }
      mixedCount += 1
      try SnapshotValidator.validate(mixed)
      let result = try base.applying(mixed.difference(from: base))
      try require(result.digest == mixed.digest, "another snapshot")
    }
    #expect(mixedCount > 40)
  }
}
