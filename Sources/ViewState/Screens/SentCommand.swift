public import CanonicalJSON

/// A command as a client sends it: its name and its arguments, not checked yet.
public struct SentCommand: Sendable {
  /// The name of the command, from the member `type` of the body.
  public let type: Text
  /// The whole body with the arguments and `type`.
  public let body: JSONReader

  /// Reads a command from the body of a request.
  ///
  /// - Throws: `Refusal` if the body is no object or has no string `type`.
  public init(_ body: JSONReader) throws(Refusal) {
    do {
      type = try body.member("type").string()
    } catch {
      throw Refusal(error)
    }
    self.body = body
  }
}

extension SentCommand {
  /// Checks that the command is one of a screen, has all required arguments, and no others.
  ///
  /// The descriptors also describe the commands to clients, so that the check and the description agree.
  ///
  /// - Throws: `Refusal` with a pointer to the wrong member.
  func check(against descriptors: [CommandDescriptor]) throws(Refusal) {
    guard let descriptor = descriptors.first(where: { $0.type == type }) else {
      let known = descriptors.map(\.type.string).joined(separator: ", ")
      throw Refusal(
        pointer: body.pointer.appending("type"),
        message: known.isEmpty
          ? "the screen has no commands" : "the screen has no such command: it has \(known)")
    }
    do throws(JSONShapeError) {
      try body.rejectUnknownMembers(allowed: Set(descriptor.arguments.keys).union(["type"]))
      for name in descriptor.required { _ = try body.member(name) }
    } catch {
      throw Refusal(error)
    }
  }
}
