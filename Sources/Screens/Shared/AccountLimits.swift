/// How much a store of accounts takes, so that its clients cannot fill the memory.
public struct AccountLimits: Codable, Hashable, Sendable {
  /// An account beyond this many is refused.
  public var accounts: Int
  /// An entry beyond this many of one account is refused.
  public var entriesPerAccount: Int
  /// A resource is refused that would take all together beyond this many bytes of text.
  public var byteCount: Int
  /// This many deleted accounts are remembered as deleted; older ones become unknown.
  public var deletedAccounts: Int

  /// Limits of one's own.
  public init(
    accounts: Int, entriesPerAccount: Int, byteCount: Int, deletedAccounts: Int = 10_000
  ) {
    self.accounts = accounts
    self.entriesPerAccount = entriesPerAccount
    self.byteCount = byteCount
    self.deletedAccounts = deletedAccounts
  }
}
