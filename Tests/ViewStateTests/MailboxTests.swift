import Dispatch
import Synchronization
import Testing

@testable import ViewState

@Suite("A mailbox")
struct MailboxTests {
  @Test("takes what its own reader posts after what is there, not inside of it")
  func reentrance() {
    let mailbox = Mailbox<Int>()
    var seen: [Int] = []
    func handle(_ message: Int) {
      if message == 1 {
        mailbox.post(3)
        mailbox.drain { _ in Issue.record("a second reader came in") }
      }
      seen.append(message)
    }
    mailbox.post(1)
    mailbox.post(2)
    mailbox.drain(handle)
    #expect(seen == [1, 2, 3])
  }

  @Test("has one reader at a time, loses nothing and keeps each sender's order")
  func contention() {
    let mailbox = Mailbox<(sender: Int, number: Int)>()
    let seen = Mutex<[(sender: Int, number: Int)]>([])
    let readers = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 8) { sender in
      for number in 0..<2_000 {
        mailbox.post((sender, number))
        mailbox.drain { message in
          #expect(
            readers.withLock { count in
              count += 1
              return count
            } == 1)
          seen.withLock { $0.append(message) }
          readers.withLock { $0 -= 1 }
        }
      }
    }
    let all = seen.withLock { $0 }
    #expect(all.count == 16_000)
    for sender in 0..<8 {
      #expect(all.filter { $0.sender == sender }.map(\.number) == Array(0..<2_000))
    }
  }

  @Test("keeps a message that a reader must not handle, and all behind it, for another reader")
  func due() {
    let mailbox = Mailbox<Int>()
    var seen: [Int] = []
    for number in [2, 4, 5, 6] { mailbox.post(number) }
    #expect(mailbox.drain(while: { $0.isMultiple(of: 2) }) { seen.append($0) })
    #expect(seen == [2, 4])
    #expect(!mailbox.drain { seen.append($0) })
    #expect(seen == [2, 4, 5, 6])
    #expect(!mailbox.drain(while: { _ in false }) { seen.append($0) })
  }

  @Test("lets a reader go although senders keep it full, and loses nothing")
  func limit() {
    let mailbox = Mailbox<Int>()
    var seen: [Int] = []
    mailbox.post(1)
    func handle(_ message: Int) {
      seen.append(message)
      if message < 10 { mailbox.post(message + 1) }
    }
    #expect(mailbox.drain(atMost: 4, handle))
    #expect(seen == [1, 2, 3, 4])
    #expect(!mailbox.drain(atMost: 100, handle))
    #expect(seen == Array(1...10))
  }
}
