/// A program that did not accept its input.
struct ToolFailure: Error {
  let command: [String]
}
