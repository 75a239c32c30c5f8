import TestSupport
import Testing
import ViewState

@testable import ViewDeltaRedis

@Suite("The address of a journal in Redis")
struct RedisAddressTests {
  @Test(
    "has a host, a name and perhaps a port, a user and a password",
    arguments: [
      ("redis://host/notes", "host", 6379, nil, nil), ("redis://[::1]:1/notes", "::1", 1, nil, nil),
      ("redis://me:se%2Fcret@host:65535/notes", "host", 65_535, "me", "se/cret"),
      ("redis://:secret@host/notes", "host", 6379, nil, "secret"),
      ("redis://me:@host/notes", "host", 6379, "me", ""),
      ("redis://me@host/notes", "host", 6379, "me", ""),
      ("redis://:@host/notes", "host", 6379, nil, nil),
    ] as [(String, String, Int, String?, String?)])
  func parts(text: String, host: String, port: Int, user: String?, password: String?) throws {
    let address = try RedisAddress(text)
    #expect(address.host == host && address.port == port && address.name == "notes")
    #expect(address.user == user && address.password == password)
    #expect(address.description == "redis://\(host):\(port)/notes")
  }

  @Test("is refused if it is malformed")
  func address() {
    for address in [
      "redis://", "redis://host", "redis://host:1/", "http://host/name", "redis:/x",
      "redis://127.0.0.1:0/x", "redis://127.0.0.1:65536/x", "redis://127.0.0.1:3000000000/x",
      "redis://127.0.0.1:99999999999999999999/x",
    ] {
      #expect(throws: JournalError.self) { try RedisJournal(address) }
    }
  }

  @Test("is refused without a word of its user and password")
  func secrets() throws {
    for rest in ["host:0/x", "host", "host/x?y", "host:1/ä", "ho st/x", ""] {
      for user in ["me:se/cret", "me:se cret", "me:se@cret", ":secret"] {
        let error = #expect(throws: JournalError.self) {
          try RedisJournal("redis://\(user)@\(rest)")
        }
        let message = try #require(error).description
        #expect(!message.contains("cret") && !message.contains("me:"))
      }
    }
    for password in ["se:cret/@", "se/cret", "p#w"] {
      let error = #expect(throws: JournalError.self) {
        try RedisJournal("redis://me:\(password)@host:1/x")
      }
      #expect(try #require(error).description.hasSuffix("password are not percent-encoded"))
    }
    // The parts before the slash look like a host and a port.
    for address in [
      "redis://me:1/cret@host/x", "redis://:se@me:1/cret@host/x", "redis://:s@me/%/cret@host/x",
    ] {
      let error = #expect(throws: JournalError.self) { try RedisJournal(address) }
      let message = try #require(error).description
      #expect(!message.contains("cret") && !message.contains("me"), "\(message)")
    }
  }

  @Test("signs in with a password that is not in the address, unless the address has one")
  func password() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      try redis.command("config set requirepass secret")
      #expect(throws: JournalError.self) { try RedisJournal(redis.journal).checkpoint() }
      let journal = try RedisJournal(redis.journal, password: "secret")
      #expect(try journal.checkpoint() == nil)
      try journal.begin(with: RedisJournalTests.Follower.first)
      let full = redis.journal.replacing("redis://", with: "redis://:secret@")
      #expect(
        try RedisJournal(full, password: "other").checkpoint() == RedisJournalTests.Follower.first)
    }
  }

  @Test("signs in as its user also without a password, and never as another user")
  func userWithoutPassword() async throws {
    try await SocketThread.run {
      let redis = try RedisServer()
      let address = redis.journal.replacing("redis://", with: "redis://me@")
      let error = #expect(throws: JournalError.self) { try RedisJournal(address).marks() }
      #expect(try #require(error).description.contains("WRONGPASS"))
      try redis.command("acl setuser me on nopass ~demo* &* +@all")
      let journal = try RedisJournal(address)
      #expect(try journal.marks().isEmpty)
      #expect(try redis.command("client list").contains("user=me "))
      withExtendedLifetime(journal) {}
    }
  }
}
