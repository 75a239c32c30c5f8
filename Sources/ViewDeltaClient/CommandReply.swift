public import CanonicalJSON

/// The reply to a command.
public struct CommandReply: Hashable, Sendable {
  /// Whether the command had an effect; `false`, for example, if it loads what is loading already.
  public let isAccepted: Bool
  /// The revision after the command. Compare it only for equality.
  public let revision: Text
  /// Further results of the command; `nil` if it has none.
  public let details: JSONValue?

  init(_ reply: RemoteServer.Reply) throws(ConnectionError) {
    let reader = try reply.json()
    do {
      isAccepted = try reader.member("accepted").bool()
      revision = try reader.member("revision").string()
      details = try reader.optionalMember("details")?.value
    } catch {
      throw .unexpected(Text("\(error)"))
    }
  }
}
