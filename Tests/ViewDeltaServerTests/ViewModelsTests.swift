import CanonicalJSON
import Synchronization
import TestSupport
import Testing

@testable import ViewDeltaServer
@testable import ViewState

/// A screen whose first view model begins another task while it is made.
private struct Interrupted: Screen {
  static let name: Text = "interrupted"
  static let summary = "What runs while view models are made."

  let thread = OutsideThreads(count: 1)
  let events = Events()

  var rowTypes: [RowTypeDescriptor] { [] }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> Int {
    events.note(key)
    if key == "a" {
      Task(executorPreference: thread) { [events] in events.note("other") }
    }
    return 0
  }

  func body(_ state: Int) -> [ListSection] { [] }
}

private final class Events: Sendable {
  private let names = Mutex<[Text]>([])

  var all: [Text] { names.withLock { $0 } }

  func note(_ name: Text) { names.withLock { $0.append(name) } }
}

@Suite("View models that one request makes")
struct ViewModelsTests {
  @Test("let other tasks run between them, and those that cannot be made are left out")
  func turns() async {
    let screen = Interrupted()
    var registry = ScreenRegistry(Engine.still())
    registry.register(screen)
    let models = ViewModels(
      registry: registry, replies: ViewReplies(cache: ReplyCache(), screens: []))
    let paths = [("interrupted", "a"), ("none", "a"), ("interrupted", "b")].map {
      ScreenPath(screen: $0.0, key: $0.1)
    }
    let made = await withTaskExecutorPreference(screen.thread) { await models.made(paths) }
    #expect(made.count == 2)
    #expect(screen.events.all == ["a", "other", "b"])
  }
}
