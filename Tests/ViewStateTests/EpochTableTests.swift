import CanonicalJSON
import Testing

@testable import ViewState

@Suite("The epochs of a redacted journal")
struct EpochTableTests {
  @Test("follow from the birth of the key, at an input or at the start of another program")
  func births() {
    let (old, new) = (EpochSource(seed: [1]), EpochSource(seed: [2]))
    let table = EpochTable(from: [1], to: [2])
    for born in [0, 7, -8, 3] {
      let epoch = old.epoch(of: "form/1", born: born)
      let answer = table.epoch(epoch, of: "form/1", as: "form/x", upTo: 20)
      #expect(answer == new.epoch(of: "form/x", born: born))
    }
  }

  @Test(
    "are found once, although many view models take turns",
    // A search for each turn would hash 200 million births, which takes minutes.
    .timeLimit(.minutes(1)))
  func turns() {
    let (old, new) = (EpochSource(seed: [1]), EpochSource(seed: [2]))
    let table = EpochTable(from: [1], to: [2], limit: 1_000)
    let names = (0..<10).map { Text("form/\($0)") }
    let epochs = names.map { name in
      [old, new].map { $0.epoch(of: name, born: 5_000) }
    }
    for _ in 0..<2_000 {
      for (name, epochs) in zip(names, epochs)
      where
        table.epoch(epochs[0], of: name, as: name, upTo: 5_000) != epochs[1]
      {
        Issue.record("\(name) has another epoch")
      }
    }
  }

  @Test(
    "are searched once for all that clients have brought from other servers",
    // A search for each would hash 80 million births, which takes minutes.
    .timeLimit(.minutes(1)), arguments: [1_000_000, 1_000])
  func foreign(limit: Int) {
    let table = EpochTable(from: [1], to: [2], limit: limit)
    let epochs = (0..<20_000).map { RevisionEpoch(hash: UInt64($0) << 44) }
    #expect(
      epochs.allSatisfy { table.epoch($0, of: "form/1", as: "form/x", upTo: 2_000) == $0 })
  }
}
