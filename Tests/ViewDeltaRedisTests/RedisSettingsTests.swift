import TestSupport
import Testing
import ViewDeltaRedis

@Suite("The settings of a Redis with a journal")
struct RedisSettingsTests {
  @Test(
    "cause a warning that names each one with which changes can be lost",
    arguments: [
      ([], ["appendonly is no,"]),
      (["--appendonly", "yes"], ["appendfsync is everysec,"]),
      (["--appendonly", "yes", "--appendfsync", "no"], ["appendfsync is no,"]),
      (
        ["--maxmemory-policy", "volatile-ttl"],
        ["appendonly is no,", "maxmemory-policy is volatile-ttl,"]
      ),
      (
        RedisServer.durability + ["--maxmemory-policy", "allkeys-lru"],
        ["maxmemory-policy is allkeys-lru,"]
      ),
      (
        RedisServer.durability + ["--no-appendfsync-on-rewrite", "yes"],
        ["no-appendfsync-on-rewrite is yes,"]
      ),
      (RedisServer.durability, []),
    ])
  func warnings(options: [String], named: [String]) throws {
    let redis = try RedisServer(options)
    let warning = try RedisJournal(redis.journal).warning
    let settings = [
      "appendonly is", " appendfsync is", "no-appendfsync-on-rewrite is", "maxmemory-policy is",
    ]
    #expect((warning == nil) == named.isEmpty)
    for setting in settings {
      let isNamed = named.contains { " \($0)".contains(setting) }
      #expect(warning?.contains(setting) ?? false == isNamed, "\(warning ?? "")")
    }
    #expect(named.allSatisfy { warning?.contains($0) ?? false }, "\(warning ?? "")")
  }

  @Test("cause a warning without the password if Redis does not tell them")
  func refused() throws {
    let redis = try RedisServer()
    try redis.command("acl setuser limited on >secret ~* &* +@all -config")
    let address = redis.journal.replacing("redis://", with: "redis://limited:secret@")
    let warning = try #require(try RedisJournal(address).warning)
    #expect(warning.contains("Redis does not say whether it has appendonly yes"), "\(warning)")
    #expect(!warning.contains("secret"))
    // The permission that the documentation names is enough.
    try redis.command("acl setuser limited +config|get")
    #expect(try RedisJournal(address).warning == nil)
  }
}
