import CanonicalJSON
import Snapshots
import ViewState

extension LoadingChild where Value == User {
  /// The profile of the user that a screen's key names: a header in every state but a failure with
  /// nothing to show.
  static func profile(policy: RefreshPolicy) -> LoadingChild {
    LoadingChild(
      source: ProfileSource.profile.rawValue,
      load: CommandDescriptor(
        type: "loadProfile", summary: "Loads the profile. Ignored while it is loading."),
      cancel: CommandDescriptor(
        type: "cancelProfile",
        summary: "Calls the running load of the profile off. Ignored where none runs."),
      policy: policy,
      look: LoadingLook(
        error: (type: "profileError", text: "Couldn't load profile."),
        placeholder: { isLoading, rows in
          rows.profileHeader(ProfileHeader(user: nil, isLoading: isLoading))
        },
        content: { user, isLoading, rows in
          rows.profileHeader(ProfileHeader(user: user, isLoading: isLoading))
          rows.attributes(of: user)
        }),
      sample: User(id: ResourceID(1), username: "ada"))
  }
}

extension LoadingChild where Value == KeyedSequence<Post> {
  /// The posts of the user that a screen's key names: the header, what is going on, and the posts
  /// there are to show.
  static func posts(policy: RefreshPolicy) -> LoadingChild {
    LoadingChild(
      source: ProfileSource.posts.rawValue,
      load: CommandDescriptor(
        type: "loadPosts", summary: "Loads the posts. Ignored while they are loading."),
      cancel: CommandDescriptor(
        type: "cancelPosts",
        summary: "Calls the running load of the posts off. Ignored where none runs."),
      policy: policy,
      look: LoadingLook(
        error: (type: "contentError", text: "Couldn't load posts."),
        lead: { rows in rows.contentHeader() },
        placeholder: { isLoading, rows in
          if isLoading { rows.contentLoading() }
        },
        content: { posts, isLoading, rows in
          if isLoading { rows.contentLoading() }
          if posts.isEmpty { rows.contentEmpty() }
          ForEach(posts, row: \.row)
        }),
      sample: [])
  }
}
