import ArgumentParser

/// The command line.
@main
struct ViewDelta: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "viewdelta",
    abstract: "A backend for view models: screens as lists of rows, and what changed in them.",
    // The OpenAPI document and the changelog say the same.
    version: "1.0.0",
    subcommands: [Serve.self])
}
