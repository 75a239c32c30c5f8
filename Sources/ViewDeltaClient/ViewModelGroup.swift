public import CanonicalJSON
public import Foundation
import HTTPTypes
import Snapshots

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// Several view models on a server: an app follows them all over one request.
///
///     let server = URL(string: "https://views.example.com")!
///     let group = ViewModelGroup(of: ["scoreboards/all", "scoreboard/1"], on: server)
///     for await updates in group.updates() {
///       for case (let name, .changed(let replica, let changes)) in updates {
///         show(name, replica.snapshot, changes)
///       }
///     }
///
/// What one write changes in several view models arrives together. Separate loops over ``ViewModelConnection``s would
/// get these changes one by one, and each would have a request under way.
///
/// `group[name].scroll(to: window)` follows a window of the rows of a view model: see ``ViewModelConnection/scroll(to:)``.
///
/// The group has no task of its own. Its only state are the windows, which it shares with its copies and with the
/// connections to its view models that it returns, but with no other group or connection. To follow other view models,
/// end the loop, and begin one of another group with the last replicas, as SwiftUI does with `task(id: group.names)`.
/// The new loop keeps their windows.
public struct ViewModelGroup: Sendable {
  /// The screens and keys, such as `scoreboard/1`.
  public let names: Set<Text>
  private let server: RemoteServer

  /// Creates a group. It sends nothing yet.
  ///
  /// - Parameters:
  ///   - names: The screens and keys, such as `scoreboard/1`, up to 100. The server refuses all of them if there are
  ///     more, or if one has no key or a key with a slash.
  ///   - server: The address of the server, or of the folder in which a proxy has it.
  ///   - transport: Sends the requests. A group that is followed has one request under way at any time, except for
  ///     opening commands, which it sends together.
  public init(
    of names: Set<Text>, on server: URL, by transport: any HTTPTransport = URLSession.shared
  ) {
    self.init(of: names, on: RemoteServer(at: server, by: transport))
  }

  init(of names: Set<Text>, on server: RemoteServer) {
    (self.names, self.server) = (names, server)
  }

  /// A connection to one view model, in the group or not, such as to send it commands and to scroll in it.
  ///
  ///     try await group["scoreboard/1"].send(row.actions[0].command)
  public subscript(name: Text) -> ViewModelConnection {
    ViewModelConnection(to: name, on: server)
  }

  /// Returns the changes of the view models, from now on.
  ///
  /// See ``ViewModelGroupUpdates``.
  ///
  /// - Parameter replicas: The copies that the app has from earlier loops, by name. The first change of a view
  ///   model starts from there, or else from an empty one. Copies of other view models are ignored, also if they
  ///   have the name of one of the group.
  public func updates(from replicas: [Text: Replica] = [:]) -> ViewModelGroupUpdates {
    let followed = names.reduce(into: [:]) {
      $0[$1] = FollowedViewModel(connection: self[$1], replica: replicas[$1])
    }
    return ViewModelGroupUpdates(followed: followed, server: server) {
      held, wait async throws(ConnectionError) in
      try await poll(held, wait: wait)
    }
  }
}

extension ViewModelGroup {
  /// Asks for what has changed, as `ViewModelConnection` does for one view model.
  private func poll(
    _ held: [Text: HeldContent], wait: Int
  ) async throws(ConnectionError) -> PollReply {
    var question: [Text: JSONValue] = ["screens": .object(held.mapValues(\.json))]
    if wait > 0 { question["wait"] = .integer(wait) }
    var fields = HTTPFields.diffPreferred
    fields[.contentType] = "application/json"
    let reply = try await server.ask(
      .post, "v1/sync", fields, JSONValue.object(question).canonicalBytes())
    let names = held.keys.sorted()
    let revisions = reply.revisions
    guard [200, 204].contains(reply.status), revisions.count == names.count else {
      throw .unexpected("its status is \(reply.status), with \(revisions.count) revisions")
    }
    var answer = PollReply()
    for (name, revision) in zip(names, revisions) { answer.revisions[name] = revision }
    if reply.status == 204 { return answer }
    let body = try reply.json()
    do {
      let screens = try body.member("screens")
      for name in try screens.memberNames { answer.documents[name] = try screens.member(name) }
    } catch {
      throw .unexpected(Text("\(error)"))
    }
    return answer
  }
}

extension HeldContent {
  fileprivate var json: JSONValue {
    var members: [Text: JSONValue] = [:]
    if let revision { members["since"] = .string(revision) }
    if let hash { members["have"] = .string(Text(hash.description)) }
    if let window { members["window"] = window.json }
    if let next { members["next"] = next.json }
    return .object(members)
  }
}

extension RowWindow {
  fileprivate var json: JSONValue { ["start": .integer(start), "count": .integer(count)] }
}
