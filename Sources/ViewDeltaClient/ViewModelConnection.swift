public import CanonicalJSON
public import Foundation
import HTTPTypes
import HTTPTypesFoundation
public import Snapshots

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A view model on a server: an app follows it, and sends it commands.
///
///     let server = URL(string: "https://views.example.com")!
///     let groceries = ViewModelConnection(to: "groceries/home", on: server)
///     for await update in groceries.updates() {
///       if case .changed(let replica, let changes) = update { show(replica.snapshot, changes) }
///     }
///
/// A connection follows all rows until the app scrolls to a window of them: see ``scroll(to:)``.
///
/// The connection has no task of its own. Its only state is the window, which its copies share. Another connection to
/// the same view model has a window of its own.
public struct ViewModelConnection: Sendable {
  /// The screen and key, such as `groceries/home`.
  public let name: Text
  private let server: RemoteServer
  /// The paths of the screen and of the view model.
  private let (screen, path): (String, String)

  /// Creates a connection. It sends nothing yet.
  ///
  /// - Parameters:
  ///   - name: The screen and key, such as `groceries/home`. A name that the server does not know, or that has no
  ///     screen or no key, is refused with a 404 when it is followed.
  ///   - server: The address of the server, or of the folder in which a proxy has it.
  ///   - transport: Sends the requests. Each loop has one request under way, which waits. Without HTTP/2 a `URLSession`
  ///     has six connections to a server, on iOS four: with as many loops each command waits, too. A ``ViewModelGroup``
  ///     has one request for several view models.
  public init(
    to name: Text, on server: URL, by transport: any HTTPTransport = URLSession.shared
  ) {
    self.init(to: name, on: RemoteServer(at: server, by: transport))
  }

  init(to name: Text, on server: RemoteServer) {
    (self.name, self.server) = (name, server)
    // By bytes, because Swift takes a slash and a combining accent after it for one character.
    let parts = name.utf8.split(
      separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.map { Self.percentEncoded(Substring($0)) }
    screen = "v1/view-models/" + path[0]
    // A missing key becomes an empty one, because the path of a screen alone returns the description of the screen.
    self.path = screen + "/" + path.dropFirst().joined()
  }

  private static func percentEncoded(_ text: some StringProtocol) -> String {
    text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }

  /// Of RFC 3986, and the sign before a session.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@")

  /// Returns the changes of the view model, from now on.
  ///
  /// See ``ViewModelUpdates``. Several loops may follow one view model; each has its own copy.
  ///
  /// - Parameter replica: The copy that the app has from an earlier loop. The first change starts from
  ///   there, and the loop follows the window of the copy, if the app has not scrolled. Without it, or with a copy of
  ///   another view model, the first change starts from an empty view model.
  public func updates(from replica: Replica? = nil) -> ViewModelUpdates {
    ViewModelUpdates(
      name: name,
      group: ViewModelGroupUpdates(
        followed: [name: FollowedViewModel(connection: self, replica: replica)], server: server
      ) { held, wait async throws(ConnectionError) in
        try await poll(held[name] ?? HeldContent(), wait: wait)
      })
  }

  /// Follows a window of the rows of a long view model from now on, instead of all rows or another window.
  ///
  ///     let ranking = ViewModelConnection(to: "scoreboard/1", on: server)
  ///     if let window = RowWindow(start: 0, count: 100) { ranking.scroll(to: window) }
  ///     for await update in ranking.updates() {
  ///       if case .changed(let replica, let changes) = update { show(replica.snapshot, changes) }
  ///     }
  ///
  /// An app that scrolls before it begins a loop never gets more rows. The snapshots of ``updates(from:)`` have the rows
  /// of the window alone, with their sections, and all states; `snapshot.window` has the window and the number of all
  /// rows. When the app scrolls again, also while a loop waits for changes, the next change leads from the rows of the
  /// last window to those of the new one, and is checked like any other. If the app scrolls faster than the server
  /// answers, the loop skips windows, but never the last one. After a failure the loop scrolls with its next request.
  ///
  /// - Parameter window: The rows, counted from 0 over all sections. It may reach beyond the last row.
  /// - Complexity: O(*l*), where *l* is the number of loops that wait for changes.
  public func scroll(to window: RowWindow) {
    server.windows.update { $0[name] = window }
  }

  /// Loads the view model once, with all rows, as it is or as it was.
  ///
  ///     let current = try await groceries.replica()
  ///     if let oldest = try await groceries.revisions(limit: 10).first {
  ///       let former = try await groceries.replica(at: oldest.revision)
  ///       show(former.snapshot, current.snapshot.difference(from: former.snapshot))
  ///     }
  ///
  /// The request is sent once, and loads no source. ``updates(from:)`` may go on from the replica.
  ///
  /// - Parameter revision: A revision that the server keeps, such as one of ``revisions(limit:before:)``; `nil` for the
  ///   current one. One that is no longer kept is refused with a 410.
  /// - Throws: ``ConnectionError``, also if the task is cancelled.
  public func replica(at revision: Text? = nil) async throws(ConnectionError) -> Replica {
    let document = try await server.ask(.get, path + Self.query(["at": revision])).json()
    do throws(ReplicaError) {
      let replica = try Replica(WireDocument(document))
      if replica.screen == name { return replica }
      throw .otherScreen(expected: name, found: replica.screen)
    } catch {
      throw .unexpected(Text("\(error)"))
    }
  }

  /// Loads the newest revisions that the server keeps, oldest first.
  ///
  /// The request is sent once. ``replica(at:)`` has an example.
  ///
  /// - Parameters:
  ///   - limit: The largest number of revisions, 1 to 1,000. Another one is refused with a 400.
  ///   - revision: A kept revision, to load only older ones; `nil` for the newest.
  /// - Throws: ``ConnectionError``, also if the task is cancelled.
  public func revisions(
    limit: Int = 100, before revision: Text? = nil
  ) async throws(ConnectionError) -> [KeptRevision] {
    let query = Self.query(["limit": Text("\(limit)"), "before": revision])
    let reply = try await server.ask(.get, "\(path)/revisions\(query)").json()
    do {
      return try reply.member("revisions").elements().map(KeptRevision.init)
    } catch {
      throw .unexpected(Text("\(error)"))
    }
  }

  /// Sends a command, such as that of a row's action, and returns the server's reply.
  ///
  ///     try await groceries.send(["type": "add", "name": "Salt"])
  ///
  /// What the command changes comes through ``updates(from:)``. The command takes effect at most once: if there is no
  /// reply, a proxy has no server, or the server is busy, it is sent again with the same `Idempotency-Key`. To keep the
  /// order of two commands, send the second one after the first one has returned. The reply proves that the server is
  /// there: a loop of this connection or its group that pauses after a failure asks again at once, unless the server has
  /// asked it to wait, or the loop has got an answer that it cannot use. Likewise, an answer to such a loop ends the
  /// pause before the command is sent again.
  ///
  /// - Parameters:
  ///   - command: An object with a `type` and the arguments.
  ///   - revision: The only revision at which the server may execute it; `nil` for any. At another one it is refused
  ///     with a 412.
  ///   - patience: The time after which the command is not sent again, below the hour for which the server remembers
  ///     that it has executed it. A request under way is not given up: if the server is silent, `URLSession` waits for
  ///     25 seconds. To give up earlier, cancel the task.
  /// - Throws: ``ConnectionError``; `CancellationError` if the task is cancelled. The server may have executed the
  ///   command, unless the error is ``ConnectionError/refused(_:)`` with a status below 500. If the reply to an attempt
  ///   was lost, and something else than the server refuses the next one, the error is that of the lost reply.
  ///   `JSONShapeError`, without a request, if the command has a number that JSON cannot represent.
  @discardableResult
  public func send(
    _ command: JSONValue, at revision: Text? = nil, patience: Duration = .seconds(30)
  ) async throws -> CommandReply {
    let body = try command.checkedBytes()
    var fields: HTTPFields = [
      .contentType: "application/json", Self.idempotencyKey: "\"\(UUID().uuidString)\"",
    ]
    if let revision { fields[.ifMatch] = "\"\(revision)\"" }
    let end = server.pacing.now() + patience
    var failureCount = 0
    var lost: ConnectionError?
    while true {
      do {
        let reply = try CommandReply(
          await server.ask(.post, "\(path)/commands", fields, body))
        server.answerCount.update { $0 += 1 }
        return reply
      } catch {
        let recoveryCount = server.recoveryCount.value
        if error.isRefusal { server.answerCount.update { $0 += 1 } }
        try Task.checkCancellation()
        if error.mayHaveRun { lost = error }
        failureCount += 1
        let pause = server.pacing.pause(afterFailures: failureCount, atLeast: error.retryAfter)
        guard error.isPassing, server.pacing.now() + pause <= end else {
          throw error.isOfServer ? error : lost ?? error
        }
        let sleep: @Sendable () async throws -> Void = { [pacing = server.pacing] in
          try await pacing.sleep(pause)
        }
        if error.endsWithAnswer {
          _ = try await server.recoveryCount.untilChange(from: recoveryCount, sleep)
        } else {
          try await sleep()
        }
        // The machine may have slept, and the server have forgotten the key.
        guard server.pacing.now() <= end else { throw lost ?? error }
      }
    }
  }

  /// Returns the query with the arguments that have a value.
  private static func query(_ arguments: KeyValuePairs<String, Text?>) -> String {
    let parts = arguments.compactMap { name, value in
      value.map { "\(name)=\(percentEncoded($0.string))" }
    }
    return parts.isEmpty ? "" : "?" + parts.joined(separator: "&")
  }

  private static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
}

/// The requests of a loop.
extension ViewModelConnection {
  /// Asks for what has changed.
  ///
  /// - Parameters:
  ///   - held: What the app has.
  ///   - wait: The time for which the server waits for a change, in seconds.
  private func poll(_ held: HeldContent, wait: Int) async throws(ConnectionError) -> PollReply {
    var query: [String] = []
    if let revision = held.revision { query.append("since=\(revision)") }
    if wait > 0, held.revision != nil { query.append("wait=\(wait)") }
    if let hash = held.hash { query.append("have=\(hash)") }
    if let window = held.window { query.append("window=\(window.start),\(window.count)") }
    if let next = held.next { query.append("next=\(next.start),\(next.count)") }
    let target = held.revision == nil ? path : path + "/diff"
    let reply = try await server.ask(
      .get, query.isEmpty ? target : "\(target)?\(query.joined(separator: "&"))", .diffPreferred)
    if reply.status == 200 { return PollReply(documents: [name: try reply.json()]) }
    let revisions = reply.revisions
    guard reply.status == 204, revisions.count == 1 else {
      throw .unexpected("its status is \(reply.status), with \(revisions.count) revisions")
    }
    return PollReply(revisions: [name: revisions[0]])
  }

  /// Sends the opening command if a source that it loads was never loaded.
  ///
  /// If it is exact, the server executes it only at the revision of the copy. So of many clients one opens the view
  /// model, and so does one of several attempts if replies are lost.
  ///
  /// - Returns: The reason why the command must be sent again; `nil` if that is not needed, or the server itself has
  ///   refused it, and still names it. The rows say what the screen has then.
  func open(_ replica: Replica, isExact: Bool) async -> ConnectionError? {
    let states = replica.snapshot.states
    guard states.values.contains("notRequested") else { return nil }
    do throws(ConnectionError) {
      guard let opening = try await opening() else { return nil }
      let sources = opening.sources ?? Array(states.keys)
      if !sources.contains(where: { states[$0] == "notRequested" }) { return nil }
      let command = opening.command
      guard let error = await refusal(of: command, at: isExact ? replica.revision : nil)
      else { return nil }
      if !error.isRefusal || error.problem?.status == 412 { return error }
      // Another build may have come since, which has another command.
      return try await self.opening()?.command == command ? nil : error
    } catch {
      return error.isRefusal ? nil : error
    }
  }

  /// Sends a command once, and returns the reason why it is not executed, or may not be.
  private func refusal(of command: Text, at revision: Text?) async -> ConnectionError? {
    do {
      try await send(["type": .string(command)], at: revision, patience: .zero)
    } catch let error as ConnectionError {
      return error
    } catch {
      // The loop ends.
    }
    return nil
  }

  /// Asks for the command that loads the sources of the screen, and for these sources, which are all if the server does
  /// not name them; `nil` if the screen has no such command.
  private func opening() async throws(ConnectionError) -> (command: Text, sources: [Text]?)? {
    let reader = try await server.ask(.get, screen).json()
    do {
      // Or else it is the page of a proxy.
      let screen = try reader.member("name")
      guard try screen.string().utf8.elementsEqual(name.utf8.prefix { $0 != UInt8(ascii: "/") })
      else { throw screen.error("is another screen") }
      guard let command = try reader.optionalMember("opening")?.string() else { return nil }
      let sources = try reader.optionalMember("opens")?.elements()
      return (command, try sources?.map { try $0.string() })
    } catch {
      throw .unexpected(Text("\(error)"))
    }
  }
}
