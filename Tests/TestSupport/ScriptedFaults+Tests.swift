package import CanonicalJSON
package import ViewState

extension Store where Value == ScriptedFaults {
  /// Lets the next loads of a source for a key follow a script; `nil` ends the script.
  package func set(_ script: FaultScript?, for source: Text, of key: Text) async throws {
    try await write(.init(script, of: source, for: key))
  }
}
