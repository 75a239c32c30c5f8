import Foundation
import TodoScreens
import ViewDelta

let settings = ProcessInfo.processInfo.environment

await Application.main {
  TodoFeature(
    file: settings["LIST_FILE"] ?? "todos.sqlite",
    holidays: settings["HOLIDAYS_ADDRESS"] ?? "http://127.0.0.1:8081/holidays.json")
}
