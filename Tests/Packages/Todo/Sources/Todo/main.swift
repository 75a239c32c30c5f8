import Foundation
import TodoScreens
import ViewDelta

let settings = ProcessInfo.processInfo.environment

await Application.main {
  TodoFeature(
    file: settings["TODO_FILE"] ?? "todos.sqlite",
    holidays: settings["TODO_HOLIDAYS"] ?? "http://127.0.0.1:8081/holidays.json")
}
