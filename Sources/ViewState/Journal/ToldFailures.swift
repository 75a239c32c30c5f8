/// The failures of a journal that the operator was told since it last worked.
struct ToldFailures: Sendable {
  /// By their texts, which the operator sees.
  private var told: Set<String> = []

  /// The largest number of failures that are told. Without it, a journal that fails in ever new ways would fill the log.
  private static let limit = 8

  /// Notes that the journal fails, or works.
  ///
  /// - Parameter failure: The failure; `nil` if the journal works.
  /// - Returns: The incident to log; `nil` if the operator knows of it.
  mutating func note(_ failure: JournalError?) -> JournalIncident? {
    guard let failure else {
      defer { told = [] }
      return told.isEmpty ? nil : .recovered
    }
    guard told.count < Self.limit, told.insert(failure.description).inserted else { return nil }
    return .failing(failure)
  }
}
