/// How large a form may be, so that its clients cannot fill the memory.
public struct FormLimits: Codable, Hashable, Sendable {
  /// A section beyond this many is refused.
  public var sectionsPerForm: Int
  /// A row beyond this many is refused, those in groups included.
  public var rowsPerForm: Int
  /// A form is refused whose description has more bytes.
  public var bytesPerForm: Int
  /// A command with more operations than this is refused.
  public var operationsPerCommand: Int

  /// The defaults, where nothing else is said.
  public init(
    sectionsPerForm: Int = 50, rowsPerForm: Int = 200, bytesPerForm: Int = 256 * 1024,
    operationsPerCommand: Int = 200
  ) {
    self.sectionsPerForm = sectionsPerForm
    self.rowsPerForm = rowsPerForm
    self.bytesPerForm = bytesPerForm
    self.operationsPerCommand = operationsPerCommand
  }
}

extension FormLimits {
  /// No limits: what a store or a state holds has been checked against those of its time.
  static let none = FormLimits(
    sectionsPerForm: .max, rowsPerForm: .max, bytesPerForm: .max, operationsPerCommand: .max)
}
