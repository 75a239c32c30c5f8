import TestSupport
import Testing

@testable import MicroHTTP

@Suite("The table of connections")
struct ConnectionTableTests {
  @Test("returns each connection within one round, also if all that are returned are removed")
  func removedParts() throws {
    let (table, resumes) = (ConnectionTable(), try ResumeQueue())
    func insert(_ count: Int) {
      for _ in 0..<count {
        table.insert(ConnectionRecord(descriptor: -1, resumes: resumes))
      }
    }
    insert(1_000)
    let old = Set((0..<8).flatMap { _ in table.nextPart(of: 8).map(ObjectIdentifier.init) })
    var returned: [ObjectIdentifier] = []
    for _ in 0..<8 {
      for record in table.nextPart(of: 8) {
        returned.append(ObjectIdentifier(record))
        table.remove(record)
      }
      // Those that come meanwhile do not take the turn of others.
      insert(200)
    }
    #expect(Set(returned) == old && returned.count == 1_000)
  }

  @Test(
    "is gone through in the time of a sweep, less a pause for those whose turn comes late",
    arguments: [20, 100, 1_000, 10_000])
  func sweep(milliseconds: Int) {
    var configuration = ServerConfiguration()
    configuration.abandonmentSweep = .milliseconds(milliseconds)
    let (parts, pause) = (configuration.sweepParts, Int(configuration.pause))
    #expect((parts + 1) * pause <= milliseconds && (parts + 2) * pause > milliseconds)
  }

  @Test("returns a connection again within two rounds of calls, wherever others are removed")
  func remainingParts() throws {
    try withSeeds(200) { generator in
      let (table, resumes) = (ConnectionTable(), try ResumeQueue())
      var open = (0..<generator.number(in: 50...200)).map { _ in
        ConnectionRecord(descriptor: -1, resumes: resumes)
      }
      for record in open { table.insert(record) }
      let stays = open.remove(at: generator.number(in: 0...(open.count - 1)))
      var lastTurn = 0
      for call in 1...60 {
        if table.nextPart(of: 7).contains(where: { $0 === stays }) { lastTurn = call }
        try require(call - lastTurn < 2 * 7, "no turn in \(call - lastTurn) calls")
        guard call > 14, call % 10 < 3 else { continue }
        for _ in 0..<generator.number(in: 0...20) where !open.isEmpty {
          table.remove(open.remove(at: generator.number(in: 0...(open.count - 1))))
        }
      }
    }
  }

  @Test("returns all connections in so many parts, and none twice before each was returned once")
  func parts() throws {
    try withSeeds(200) { generator in
      let table = ConnectionTable()
      let resumes = try ResumeQueue()
      let parts = generator.number(in: 1...8)
      var open: [(record: ConnectionRecord, count: Int)] = []
      for _ in 0..<generator.number(in: 1...40) {
        open.append((ConnectionRecord(descriptor: -1, resumes: resumes), 0))
        table.insert(open[open.count - 1].record)
      }
      func count(_ part: ArraySlice<ConnectionRecord>) throws {
        for record in part {
          let index = open.firstIndex { $0.record === record }
          open[try #require(index, "a closed connection is returned")].count += 1
        }
        let counts = open.map(\.count)
        try require((counts.max() ?? 0) - (counts.min() ?? 0) <= 1, "\(counts)")
      }
      for _ in 0..<parts { try count(table.nextPart(of: parts)) }
      try require(open.allSatisfy { $0.count >= 1 }, "not all are returned in one round")
      while !open.isEmpty {
        try count(table.nextPart(of: parts))
        for _ in 0..<generator.number(in: 0...2) where !open.isEmpty {
          table.remove(open.remove(at: generator.number(in: 0...(open.count - 1))).record)
        }
      }
    }
  }
}
