public import CanonicalJSON

/// What a client asks a screen to do: a name, and whatever arguments that command takes.
public struct SentCommand: Sendable {
  /// The name, the member `type` of the body.
  public let type: Text
  /// The whole body, `type` included.
  public let body: JSONReader

  /// Reads a command from the body of a request.
  ///
  /// - Throws: `Refusal` where the body is no object or has no string `type`.
  public init(_ body: JSONReader) throws(Refusal) {
    do {
      type = try body.member("type").string()
    } catch {
      throw Refusal(error)
    }
    self.body = body
  }
}
