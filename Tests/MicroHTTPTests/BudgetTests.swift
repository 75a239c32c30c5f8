import HTTPTypes
import Testing

@testable import MicroHTTP

@Suite("A budget of memory")
struct BudgetTests {
  @Test("counts a reply until the last of those that send it has ended")
  func sharedReply() {
    let budget = ReplyBudget(limit: 100_000)
    let replies = (0..<2).map { _ in
      Response(status: .ok, body: [UInt8](repeating: 0x78, count: 60_000))
    }
    for _ in 0..<2 { #expect(budget.begin(replies[0], isDue: false)) }
    budget.end(replies[0])
    #expect(!budget.begin(replies[1], isDue: false))
    budget.end(replies[0])
    #expect(budget.begin(replies[1], isDue: false))
  }

  @Test("has the same room after a body that it refuses, and counts no first 4 KiB of one")
  func refusedBody() {
    let budget = BodyBudget(limit: 10_000)
    let body = RequestBody(largest: 50_000, budget: budget)
    let piece = [UInt8](repeating: 0x78, count: 50_000)
    #expect(!piece.withUnsafeBufferPointer(body.append))
    #expect(budget.hasRoom(for: 14_096) && !budget.hasRoom(for: 14_097))
  }
}
