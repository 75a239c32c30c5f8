package import CanonicalJSON

/// A command as a client sends it: its name and its arguments, which are not checked yet.
package struct SentCommand: Sendable {
  /// The name of the command, from the member `type` of the body.
  let type: Text
  /// The whole body with the arguments and `type`.
  let body: JSONReader

  /// Reads a command from the body of a request.
  ///
  /// - Throws: `Refusal` if the body is not an object or has no string `type`.
  package init(_ body: JSONReader) throws(Refusal) {
    do {
      type = try body.member("type").string()
    } catch {
      throw Refusal(error)
    }
    self.body = body
  }
}

extension SentCommand {
  /// Checks that the command has all required arguments, and no others.
  ///
  /// The descriptor also describes the command to clients, so that the check and the description agree.
  ///
  /// - Throws: `Refusal` with a pointer to the wrong member.
  func check(against descriptor: CommandDescriptor) throws(Refusal) {
    do throws(JSONShapeError) {
      try body.rejectUnknownMembers(allowed: descriptor.members)
      for name in descriptor.required { _ = try body.member(name) }
    } catch {
      throw Refusal(error)
    }
  }

  /// Returns the refusal of a command that is none of a screen.
  func unknown(besides descriptors: [CommandDescriptor]) -> Refusal {
    let known = descriptors.map(\.type.string).joined(separator: ", ")
    return Refusal(
      pointer: body.pointer.appending("type"),
      message: known.isEmpty
        ? "the screen has no commands" : "the screen has no such command: it has \(known)")
  }
}

/// The outcome of a command.
package struct CommandOutcome: Codable, Hashable, Sendable {
  /// Whether the command changed something or started work; `false`, for example, for a second load while the
  /// first one runs.
  package let isAccepted: Bool
  /// Whether work of the command goes on after the reply.
  package let isPending: Bool
  /// The revision that the command made; the current one if it made none.
  package let revision: RevisionToken
  /// Further members of the reply, which the description of the command explains; most commands have none.
  package let details: [Text: JSONValue]
}

/// The reason why a well-formed command has no outcome. Nothing has changed, unless the view model fails.
public enum CommandFailure: KeyRefusal, Hashable {
  /// The screen refuses the command.
  case refused(Refusal)
  /// The current revision is not one of those that the sender allows.
  case outdated(current: RevisionToken)
  /// There is no view model with the name. If the view model fails, the command was applied, but its state cannot
  /// be shown.
  case unavailable(ScreenLookupError)
  /// Another request had the same key before.
  case reusedKey
  /// The states of all view models take as much memory as ``Settings/stateByteCount`` allows, and the command
  /// would take more.
  case full
  /// The journal cannot record the command now.
  case notRecorded
  /// The journal has not confirmed in time that it has recorded the command, which may still be applied.
  case unconfirmed

  package var isFinal: Bool {
    switch self {
    case .outdated, .full, .notRecorded, .unconfirmed: false
    case .refused, .unavailable, .reusedKey: true
    }
  }
}
