public import CanonicalJSON

extension SentCommand {
  /// Checks the command against what a screen says of its commands: its name, that all required
  /// arguments are there, and that there are no others. The same words describe the command to
  /// clients, so the two cannot differ.
  func check(against descriptors: [CommandDescriptor]) throws(Refusal) {
    guard let descriptor = descriptors.first(where: { $0.type == type }) else {
      let known = descriptors.map(\.type.string).joined(separator: ", ")
      throw Refusal(
        pointer: body.pointer.appending("type"),
        message: known.isEmpty
          ? "the screen has no commands" : "the screen has no such command: it has \(known)")
    }
    try read { body throws(JSONShapeError) in
      try body.rejectUnknownMembers(allowed: Set(descriptor.arguments.keys).union(["type"]))
      for name in descriptor.required { _ = try body.member(name) }
    }
  }

  /// Reads arguments; a fault in one becomes a refusal that names it.
  public func read<Value>(
    _ read: (JSONReader) throws(JSONShapeError) -> Value
  ) throws(Refusal) -> Value {
    do { return try read(body) } catch { throw Refusal(error) }
  }

  /// The refusal of one argument.
  public func refusal(of argument: Text, _ message: String) -> Refusal {
    Refusal(pointer: body.pointer.appending(argument), message: message)
  }
}
