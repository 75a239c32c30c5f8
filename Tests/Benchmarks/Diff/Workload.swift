/// Two lists of sections, and what finding their difference may cost.
struct Workload: Sendable {
  /// The budgets, as multiples of the time of one hashing pass; `nil` where there is none.
  struct Budgets: Sendable {
    var fresh: Double?
    var known: Double?
  }

  let name: String
  let old: [[Item]]
  let new: [[Item]]
  let budgets: Budgets
  /// Whether the number of rows times that of changes is small, so that a quadratic algorithm ends
  /// in seconds.
  let isSmall: Bool

  init(
    _ name: String, old: [[Item]], new: [[Item]], budgets: Budgets = Budgets(),
    isSmall: Bool = false
  ) {
    self.name = name
    self.old = old
    self.new = new
    self.budgets = budgets
    self.isSmall = isSmall
  }
}
