import CanonicalJSON

/// An input of a journal that was applied again, and what it did.
package struct ReplayedInput: Sendable {
  /// The input.
  package let entry: Entry
  /// Why the input was refused, so that it changed nothing; `nil` if it was not.
  package let refusal: String?
  /// The revisions that clients see, of all view models that the input changed.
  package let revisions: [Revision]

  init(_ entry: Entry, _ outcome: any Sendable, _ revisions: [Revision]) {
    self.entry = entry
    refusal = (outcome as? any Failable)?.failure.flatMap(Self.text)
    self.revisions = revisions
  }

  private static func text(_ failure: any Error) -> String? {
    switch failure {
    // It was applied, and only its state cannot be shown.
    case CommandFailure.unavailable(.failed): nil
    case CommandFailure.unavailable(.unknownKey): "there is no view model of this key"
    case CommandFailure.unavailable(.deletedKey): "the view model was deleted"
    case CommandFailure.refused(let refusal): "\(refusal.message) (\(refusal.pointer))"
    case CommandFailure.outdated(let current): "the revision is \(current)"
    case StoreError.malformed(let error): "\(error)"
    case let failure as StoreError: Refusal(failure).message
    default: "\(failure)"
    }
  }
}

extension Entry {
  /// The kind of the input, and the view model or store that it was for, such as `command profile/1`.
  package var name: String { name { $0 } }

  /// The name without the session of a view model, for the log.
  var loggedName: String {
    name { key in (try? InstanceKey(Text(key), isPersonal: true))?.logged.string ?? key }
  }

  private func name(_ shown: (_ key: String) -> String) -> String {
    guard case .object(let members) = input else { return "" }
    func text(_ name: Text) -> String? {
      if case .string(let text)? = members[name] { text.string } else { nil }
    }
    let places = [text("store"), text("screen"), text("key").map(shown)]
    let place = places.compactMap(\.self).joined(separator: "/")
    return [text("kind"), place].compactMap(\.self).joined(separator: " ")
  }
}

private protocol Failable {
  var failure: (any Error)? { get }
}

extension Result: Failable {
  fileprivate var failure: (any Error)? {
    switch self {
    case .success: nil
    case .failure(let error): error
    }
  }
}
