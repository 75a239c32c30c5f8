import CanonicalJSON
import Snapshots
import ViewState

/// The smallest screen on a whole store: one row with the sum of all numbers, under any key and in any session.
struct SumScreen: Screen {
  static let name: Text = "sum"
  static let summary = "A sum."
  static let isPersonal = true

  let store: Store<Counters>

  var shownStores: [ShownStore] { [.whole(of: store)] }

  var rowTypes: [RowTypeDescriptor] { TallyScreen.number }

  func initialState(for key: Text, in stores: Stores) -> Int {
    stores[store].numbers.values.reduce(0, +)
  }

  func follow(_ stores: Stores, on state: inout Int, for key: Text) {
    state = initialState(for: key, in: stores)
  }

  func body(_ sum: Int) -> [ListSection] {
    ListSection("s") { TallyScreen.number("r", sum) }
  }
}
