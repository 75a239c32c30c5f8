import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

/// The tokens and commands of instances that come and go.
extension InstanceKeepingTests {
  @Test("have tokens that name one content each, and epochs that are known while they are there")
  func tokens() async throws {
    try await withSeeds(12) { generator in
      let (store, registry) = stored(generator.pick([0, 10_000, .max]), numbers: ["a": 1])
      var ledger = Ledger()
      var held: [Instance] = []
      for _ in 0..<150 {
        let key: Text = generator.pick(["a", "b", "c"])
        switch generator.number(in: 0...9) {
        case 0...3:
          let name: Text = generator.chance(0.7) ? "counter" : "tally"
          guard let instance = try? registry.instance(screen: name, key: key) else { continue }
          ledger.see(instance)
          if generator.chance(0.3) { held.append(instance) }
        case 4...5:
          let number = generator.number(in: 1...2)
          try await store.write([key: number])
        case 6:
          try await store.write([key: nil])
        case 7:
          if !held.isEmpty { held.remove(at: generator.number(in: 0...(held.count - 1))) }
        case 8:
          if let instance = held.last, !instance.isEnded {
            try? await Self.add(instance.name.string.hasPrefix("tally") ? nil : 1, to: instance)
          }
        default:
          scheduler.advance(by: .seconds(generator.number(in: 10...90)))
        }
        try ledger.check(registry)
      }
    }
  }

  /// What was seen of a registry, to be compared with a scan of what is there.
  struct Ledger {
    private var contents: [RevisionToken: [UInt8]] = [:]
    private var names: [RevisionEpoch: Text] = [:]
    private var seen: [Glimpse] = []

    mutating func see(_ instance: Instance) {
      if !seen.contains(where: { $0.instance === instance }) { seen.append(Glimpse(instance)) }
    }

    mutating func check(_ registry: ScreenRegistry) throws {
      seen.removeAll { $0.instance == nil }
      let instances = seen.compactMap(\.instance)
      for instance in instances {
        names[instance.epoch] = instance.name
        for revision in InstanceKeepingTests.revisions(of: instance) {
          let content = revision.snapshot.encoded(
            kind: .snapshot, screen: instance.name, revision: "")
          let known = contents.updateValue(content, forKey: revision.token)
          try require(known == nil || known == content, "\(revision.token) names two contents")
        }
      }
      let current = instances.filter { !$0.isEnded }
      try require(Set(current.map(\.name)).count == current.count, "a key has two instances")
      let epochs = Set(current.map(\.epoch))
      for epoch in Set(contents.keys.map(\.epoch)) {
        let isKept = epochs.contains(epoch)
        if registry.contains(epoch) == isKept { continue }
        // It may be at rest if it has a state of its own.
        let name = names[epoch] ?? ""
        try require(
          !isKept && name.string.hasPrefix("tally"), "\(epoch) of \(name) is in use or not")
      }
    }
  }

  @Test("lose no command, however many come and go at once")
  func commands() async throws {
    // No instance stays but for those who hold it, until a command has touched it.
    let registry = registry(untouchedByteCount: 0)
    let keys = (0..<40).map { Text("\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<8 {
        group.addTask {
          for key in keys {
            let first = try registry.instance(screen: "tally", key: key)
            if number % 2 == 0 { try await Self.add(to: first) }
          }
        }
      }
      try await group.waitForAll()
    }
    for key in keys {
      #expect(try registry.instance(screen: "tally", key: key).changeCount == 4)
    }
  }

  @Test("come and go on many threads without two contents for one token")
  func races() async throws {
    let (store, registry) = stored(0)
    let seen = try await withThrowingTaskGroup(of: [RevisionToken: JSONValue?].self) { group in
      for number in 0..<8 {
        group.addTask { [store] in
          var seen: [RevisionToken: JSONValue?] = [:]
          for step in 0..<200 {
            // Each task sees its own writes, so there is more than one content whoever runs first.
            if step % 4 == number % 4 {
              try await store.write(["a": step % 3 == 2 ? nil : 1 + step / 4 % 2])
            }
            if let instance = try? registry.instance(screen: "counter", key: "a") {
              for revision in Self.revisions(of: instance) {
                let content = revision.snapshot.sections[0].rows[0].fields["n"]
                let known = seen.updateValue(content, forKey: revision.token)
                try require(known == nil || known == content, "\(revision.token) in one task")
              }
            }
          }
          return seen
        }
      }
      return try await group.reduce(into: [RevisionToken: JSONValue?]()) { all, some in
        for (token, content) in some {
          let known = all.updateValue(content, forKey: token)
          if let known { #expect(known == content, "\(token) in two tasks") }
        }
      }
    }
    #expect(seen.count > 1)
  }
}
