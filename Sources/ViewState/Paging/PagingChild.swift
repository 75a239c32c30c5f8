package import CanonicalJSON

/// A part of a screen that is a long list, loaded page by page from one source: its commands, its
/// reducer, its rows and its loads, for any number of screens.
///
/// The screen keeps a `PagingState` for each such part, wraps its actions, and hands on what
/// concerns it.
package struct PagingChild<Item: Pageable>: Sendable {
  /// The name of the source, as it stands in a view model's `states`.
  package let source: Text
  /// The command that loads the list from its start.
  package let load: CommandDescriptor
  /// The command that loads the page that follows what is shown.
  package let loadNext: CommandDescriptor
  /// The command that asks once more for the page that did not come.
  package let retry: CommandDescriptor
  /// The command that calls a running load off.
  package let cancel: CommandDescriptor
  /// How it looks.
  package let look: PagingLook<Item>
  private let sample: Item

  /// - Parameter sample: any item, for the description of the state machine.
  package init(
    source: Text, load: CommandDescriptor, loadNext: CommandDescriptor,
    retry: CommandDescriptor, cancel: CommandDescriptor, look: PagingLook<Item>, sample: Item
  ) {
    self.source = source
    self.load = load
    self.loadNext = loadNext
    self.retry = retry
    self.cancel = cancel
    self.look = look
    self.sample = sample
  }
}

extension PagingChild {
  /// The commands of this part.
  package var commands: [CommandDescriptor] { [load, loadNext, retry, cancel] }

  /// How this part moves.
  package var stateMachine: StateMachine { PagingState.machine(of: source.string, sample: sample) }

  /// What the command means to this part; `nil` where it is another's.
  package func action(for command: SentCommand) -> PagingAction<Item>? {
    switch command.type {
    case load.type: .load
    case loadNext.type: .loadNext
    case retry.type: .retry
    case cancel.type: .cancel
    default: nil
    }
  }
}
