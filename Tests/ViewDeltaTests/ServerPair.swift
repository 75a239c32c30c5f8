import TestSupport

/// Two servers on one journal, and a client of each.
final class ServerPair {
  let redis: RedisServer
  let servers: [ServeProcess]
  let clients: [SocketClient]

  init(_ options: [String] = []) throws {
    let redis = try RedisServer()
    servers = try (1...2).map { _ in try ServeProcess(["--journal", redis.journal] + options) }
    clients = try servers.map { try $0.client() }
    self.redis = redis
  }
}
