import Foundation
import ViewDelta

/// The lines of a text file: `shopping/home` shows those of `home.txt`.
struct Shopping: Screen {
  struct State: ScreenState { var items = LoadState<[Text]>() }

  static let name: Text = "shopping"
  static let summary = "A shopping list in a text file."
  static let item = RowType(text: "item", "Something to buy.")

  let items = Source(every: .seconds(1)) { key in
    let file = try String(contentsOfFile: "\(key).txt", encoding: .utf8)
    return Set(file.split(separator: "\n").map { Text($0) }).sorted()
  }

  var rowTypes: [RowTypeDescriptor] { Self.item }
  var parts: [any ScreenPart<State>] {
    [
      Loading("items", \.items, from: items) { items, _ in
        ForEach(items ?? [], as: Self.item) { "item/\($0)" }
      }
    ]
  }
}

await Application.main { Shopping() }
