import Foundation
import Glibc
import TestSupport

/// nginx in front of servers, as one process of its own in a folder of its own.
final class LiveProxy {
  private let process = Process()
  private let folder: URL
  private let socket: BoundSocket
  var port: UInt16 { socket.port }

  /// Starts it as a cache.
  ///
  /// - Parameter upstream: the port of the server behind it.
  convenience init(upstream: UInt16) throws { try self.init { Self.cache($0, upstream) } }

  /// Starts it.
  ///
  /// - Parameter site: Returns the configuration of what it serves at a port.
  init(site: (UInt16) -> String) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "viewdelta-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = try BoundSocket()
    let configuration = folder.appending(path: "nginx.conf")
    try Data(Self.configuration(folder.path, site(socket.port)).utf8).write(to: configuration)
    process.executableURL = URL(filePath: "/usr/sbin/nginx")
    process.arguments = ["-p", folder.path, "-c", configuration.path]
    process.standardError = FileHandle.nullDevice
    try process.run()
    let log = folder.appending(path: "error.log")
    try awaitTrue("nginx listens") {
      if (try? SocketClient(port: port)) != nil { return true }
      try require(process.isRunning, (try? String(contentsOf: log, encoding: .utf8)) ?? "no log")
      return false
    }
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    close(socket.descriptor)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What the cache did for each request that it has answered, such as `MISS`, `HIT` and `BYPASS`.
  func log() throws -> [String] {
    try String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)
      .split(separator: "\n").map(String.init)
  }

  /// Waits until it has answered so many requests; it writes its log after the reply.
  func log(count: Int) throws -> [String] {
    try awaitAnswer("\(count) lines") {
      let lines = try log()
      return lines.count >= count ? lines : nil
    }
  }

  private static func configuration(_ folder: String, _ site: String) -> String {
    """
    daemon off;
    master_process off;
    pid \(folder)/nginx.pid;
    error_log \(folder)/error.log;
    events { worker_connections 1024; }
    http {
      log_format cache '$upstream_cache_status $status';
      access_log \(folder)/access.log cache;
      client_body_temp_path \(folder)/body;
      proxy_temp_path \(folder)/proxy;
      fastcgi_temp_path \(folder)/fastcgi;
      uwsgi_temp_path \(folder)/uwsgi;
      scgi_temp_path \(folder)/scgi;
      proxy_cache_path \(folder)/cache keys_zone=views:1m;
      \(site)
    }
    """
  }

  private static func cache(_ port: UInt16, _ upstream: UInt16) -> String {
    """
    server {
      listen 127.0.0.1:\(port);
      location / {
        proxy_pass http://127.0.0.1:\(upstream);
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_cache views;
        proxy_cache_lock on;
        proxy_cache_lock_timeout 60s;
        proxy_cache_lock_age 60s;
        proxy_read_timeout 70s;
      }
    }
    """
  }
}
