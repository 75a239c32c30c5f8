import CanonicalJSON
import ViewState

/// What clients may send to the profile screen. None takes an argument.
enum ProfileCommand: String, CaseIterable {
  case appear
  case loadProfile
  case loadPosts
  case cancelProfile
  case cancelPosts

  /// The reducer steps the command stands for.
  var actions: [ProfileAction] {
    switch self {
    case .appear: [.posts(.load), .profile(.load)]
    case .loadProfile: [.profile(.load)]
    case .loadPosts: [.posts(.load)]
    case .cancelProfile: [.profile(.cancel)]
    case .cancelPosts: [.posts(.cancel)]
    }
  }

  var descriptor: CommandDescriptor {
    CommandDescriptor(type: rawValue, summary: summary)
  }

  private var summary: String {
    switch self {
    case .appear: "The screen comes into view: loads the posts, then the profile, each time."
    case .loadProfile: "Loads the profile. Ignored while it is loading."
    case .loadPosts: "Loads the posts. Ignored while they are loading."
    case .cancelProfile: "Calls the running load of the profile off. Ignored where none runs."
    case .cancelPosts: "Calls the running load of the posts off. Ignored where none runs."
    }
  }

  /// The command as a row carries it for the client to send back unread.
  func action(title: String) -> JSONValue {
    .object([
      "title": .string(title),
      "command": .object(["type": .string(rawValue)]),
    ])
  }
}
