import CanonicalJSON
import Snapshots
import TestSupport
import Testing

@testable import ViewState

@Suite("The revision log")
struct RevisionLogTests {
  let epoch = Engine.still().epoch(of: "screen/key")

  /// A log with revisions 0 to `last`, one a second.
  func log(last: Int, limits: RevisionLogLimits) throws -> RevisionLog {
    var log = RevisionLog(first: try revision(0), limits: limits)
    for number in stride(from: 1, through: last, by: 1) {
      log.append(try revision(number))
    }
    return log
  }

  func token(_ number: Int) -> RevisionToken { RevisionToken(epoch: epoch, number: number) }

  func revision(_ number: Int, bytes: Int = 10) throws -> Revision {
    let row = Row(id: "row", type: "text", fields: ["number": .integer(number)])
    return Revision(
      of: "screen/key", token: token(number),
      .made(try Snapshot(sections: [Section(id: "section", rows: [row])])), cause: .start,
      date: Timestamp(secondsSince1970: number), publishedAt: .seconds(number),
      retainedByteCount: bytes)
  }

  @Test("keeps the last 128 revisions however old they are")
  func count() throws {
    let log = try log(last: 1_000, limits: RevisionLogLimits(count: 128, age: .zero))
    #expect(log.all.map(\.token.number) == Array(873...1_000))
  }

  @Test("keeps what is younger than ten minutes however many they are")
  func age() throws {
    let log = try log(last: 1_000, limits: RevisionLogLimits(count: 128, age: .seconds(600)))
    #expect(log.all.first?.token.number == 401)
  }

  @Test("forgets the oldest beyond its memory, but never the current one")
  func memory() throws {
    let tight = RevisionLogLimits(count: 128, age: .seconds(600), byteCount: 100)
    #expect(try log(last: 50, limits: tight).all.map(\.token.number) == Array(40...50))
    let none = RevisionLogLimits(count: 128, age: .seconds(600), byteCount: 0)
    #expect(try log(last: 50, limits: none).all.map(\.token.number) == [50])
  }

  @Test("returns what it forgets, so that it is released without a lock")
  func dropped() throws {
    var log = try log(last: 5, limits: RevisionLogLimits(count: 6, age: .zero))
    #expect(log.append(try revision(6)).map(\.token.number) == [0])
    var publication = Publication(log: log)
    for number in 7...8 { _ = publication.show(.content(try revision(number))) }
    #expect(publication.takeDropped().map(\.token.number) == [1, 2])
    #expect(publication.takeDropped().isEmpty)
  }

  @Test("costs nothing once only the current revision is left")
  func cut() throws {
    var log = try log(last: 50, limits: RevisionLogLimits())
    #expect(log.byteCount == 500)
    #expect(log.cut(to: 101).count == 40 && log.byteCount == 100)
    #expect(log.cut(to: 0).map(\.token.number) == Array(40...49) && log.byteCount == 0)
    #expect(log.current.token.number == 50 && log.cut(to: 0).isEmpty)
  }

  @Test("tells kept, expired, future and foreign revisions apart")
  func lookup() throws {
    let log = try log(last: 300, limits: RevisionLogLimits(count: 128, age: .zero))
    for number in 173...300 {
      #expect(try log.revision(token(number)).token.number == number)
    }
    #expect(throws: ResetReason.historyExpired) { try log.revision(token(172)) }
    #expect(throws: ResetReason.futureRevision) { try log.revision(token(301)) }
    let other = RevisionToken(epoch: Engine.still().epoch(of: "other/key"), number: 200)
    #expect(throws: ResetReason.historyExpired) { try log.revision(other) }
  }

  @Test("goes on with another epoch, and finds no revision by a name with the wrong one of the two")
  func epochs() throws {
    var log = RevisionLog(first: try revision(2))
    let other = RevisionToken(epoch: Engine.still().epoch(of: "other/key"), number: 5)
    log.append(try revision(5).renamed(other))
    #expect(try log.revision(token(2)).token == token(2) && log.revision(other).token == other)
    for wrong in [token(5), RevisionToken(epoch: other.epoch, number: 2)] {
      #expect(throws: ResetReason.historyExpired) { try log.revision(wrong) }
    }
  }

  @Test("finds a revision by each of its names, and none by a number that was never given")
  func names() throws {
    var log = RevisionLog(first: try revision(2))
    log.rename(try revision(2).renamed(token(5)))
    log.append(try revision(9))
    log.rename(try revision(9).renamed(token(12)))
    for number in [2, 5, 9, 12] {
      let found = try log.revision(token(number))
      #expect(found.token == token(number))
      #expect(found.isShown(as: try revision(number < 9 ? 2 : 9)))
    }
    for number in [0, 1, 6, 8] {
      #expect(throws: ResetReason.historyExpired) { try log.revision(token(number)) }
    }
    #expect(throws: ResetReason.futureRevision) { try log.revision(token(13)) }
    #expect(log.kept(before: token(12), limit: 9).map(\.token.number) == [5])
    #expect(log.kept(before: token(9), limit: 9).map(\.token.number) == [5])
    #expect(log.kept(before: token(5), limit: 9).isEmpty)
  }

  @Test("takes as many recalled revisions as its memory has room for, the newest of them")
  func recalled() throws {
    var log = RevisionLog(first: try revision(9), limits: RevisionLogLimits(byteCount: 25))
    log.recall(try (5...9).map { try revision($0) })
    #expect(log.all.map(\.token.number) == [7, 8, 9] && log.byteCount == 20)
  }

  @Test("measures a diff with the names that its revisions have by now")
  func renamedSize() throws {
    let (before, after) = (try revision(8), try revision(9))
    let size = after.diffSize(after: before)
    #expect(after.renamed(token(10)).diffSize(after: before).byteCount == size.byteCount + 1)
    let longer = after.renamed(token(1_000)).diffSize(after: before.renamed(token(100)))
    #expect(longer.byteCount == size.byteCount + 5)
    #expect(longer.operationCount == size.operationCount)
  }

  @Test("gives pages of its revisions, each before the one that came before")
  func pages() throws {
    let log = try log(last: 300, limits: RevisionLogLimits(count: 128, age: .zero))
    func page(before end: Int?, limit: Int) -> [Int] {
      log.kept(before: end.map(token), limit: limit).map(\.token.number)
    }
    #expect(page(before: nil, limit: 50) == Array(251...300))
    #expect(page(before: 251, limit: 50) == Array(201...250))
    #expect(page(before: 201, limit: 50) == Array(173...200))
    #expect(page(before: 301, limit: 2) == [299, 300] && page(before: 900, limit: 1) == [300])
    #expect(page(before: 173, limit: 5) == [] && page(before: 7, limit: 5) == [])
    #expect(page(before: nil, limit: 0) == [])
  }
}

extension RevisionLog {
  fileprivate var all: [Revision] { kept(before: nil, limit: .max) }
}
