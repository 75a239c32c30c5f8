public import CanonicalJSON
public import Forms
public import Snapshots
public import ViewState

/// The settings of one user, on several pages. A row of one page leads to another.
public struct SettingsScreen: Screen {
  public static let name: Text = "settings"
  public static let keyName = "page"
  public static let isPersonal = true
  public static let summary =
    "The settings of one user, on several pages that lead to each other. Each session has settings of its own."

  /// The settings of one page.
  public struct State: Codable, Equatable, Sendable, FormState {
    public var fields: FormFields<StandardKinds>
  }

  static let reset = Command("reset", "Starts over, with the settings of a new user.") {
    (state: inout State) in state.reset()
  }

  public let language: Language?
  private let pages: [(key: Text, outline: FormOutline)]

  /// - Parameters:
  ///   - pages: The keys of the pages with their rows.
  ///   - language: The language of the texts that are not those of the pages.
  public init(pages: [(key: Text, outline: FormOutline)], language: Language = .en) {
    self.language = language
    self.pages = pages
  }

  @CommandBuilder<State>
  public var commands: [AnyCommand<State>] {
    State.formCommands
    Self.reset
  }

  public var stateMachines: [StateMachine] { Self.machines }
  /// They are found by running code, so once.
  private static let machines = State.formMachines()

  public func initialState(
    for key: Text, in stores: Stores
  ) throws(ScreenLookupError) -> State {
    guard let page = pages.first(where: { $0.key == key }) else { throw .unknownKey }
    return State(fields: FormFields(page.outline, language: language ?? .en))
  }
}
