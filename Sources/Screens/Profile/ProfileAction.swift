public import Snapshots
public import ViewState

/// What can happen to the profile screen: something to one of its halves.
public enum ProfileAction: Equatable, Sendable {
  case profile(LoadAction<User>)
  case posts(LoadAction<KeyedSequence<Post>>)
}
