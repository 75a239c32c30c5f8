import CanonicalJSON
import MicroHTTP
import Snapshots
import ViewState

/// From the query of a request.
extension HeldRevision {
  /// The names of the parameters of a query, and of the members of a body.
  static let parameters = ["since", "have", "window", "next"]

  /// Reads the parameters of a query.
  ///
  /// - Throws: A 400 problem for a parameter that is empty, malformed or given twice, and for parameters that do not
  ///   belong together.
  init(_ query: Query) throws(ProblemDetails) {
    try self.init { name throws(ProblemDetails) in try query.single(name) }
  }

  /// Reads the values of the parameters.
  ///
  /// - Parameter value: Returns the value of a parameter; `nil` if it is absent.
  /// - Throws: The problems of `value`, and a 400 problem for a value that is malformed, and for those that do not
  ///   belong together.
  init(_ value: (String) throws(ProblemDetails) -> String?) throws(ProblemDetails) {
    if let since = try value("since") { self.since = try Self.revisionName(since, in: "since") }
    if let have = try value("have") {
      guard let hash = ContentHash(have) else {
        throw .badQuery("have is not a SHA-256 in base64url without padding")
      }
      self.have = hash
    }
    if let window = try value("window") { self.window = try RowWindow(window, in: "window") }
    if let next = try value("next") { self.next = try RowWindow(next, in: "next") }
    if let problem = completeWindows() { throw .badQuery(problem) }
  }

  /// Sets ``next`` to the window that the client has, unless it names another one.
  ///
  /// - Returns: The reason why the values do not belong together; `nil` if they do.
  mutating func completeWindows() -> String? {
    if window != nil, have != nil { return "have and window exclude each other" }
    if next != nil, window == nil || since == nil { return "next needs since and window" }
    next = next ?? window
    return nil
  }

  /// Reads the name of a revision.
  ///
  /// - Throws: A 400 problem if it does not have the form of a revision.
  fileprivate static func revisionName(
    _ value: String, in parameter: String
  ) throws(ProblemDetails) -> Text {
    guard RevisionToken.isWellFormed(value) else {
      throw .badQuery("\(parameter) is not a revision: \(RevisionToken.form)")
    }
    return Text(value)
  }
}

extension RowWindow {
  /// Reads the value of a parameter: the number of the first row, a comma, and the number of rows.
  ///
  /// - Throws: A 400 problem if it is something else, or out of range.
  init(_ value: String, in parameter: String) throws(ProblemDetails) {
    let numbers = value.split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2, numbers.allSatisfy({ String($0).hasOnlyDigits }),
      let start = Int(numbers[0]), let count = Int(numbers[1]),
      let window = RowWindow(start: start, count: count)
    else {
      throw .badQuery(
        "\(parameter) is not the first row, 0 to \(Self.greatestStart), and the number of rows, "
          + "1 to \(Self.greatestCount), such as 200,100")
    }
    self = window
  }
}

extension Query {
  /// Reads the window in the parameter `window`; `nil` if it is absent.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, malformed or out of range.
  var window: RowWindow? {
    get throws(ProblemDetails) {
      try single("window").map { value throws(ProblemDetails) in
        try RowWindow(value, in: "window")
      }
    }
  }

  /// Reads the name of a revision in a parameter.
  ///
  /// - Throws: A 400 problem if it is empty, given twice, or does not have the form of a revision.
  func revisionName(_ parameter: String) throws(ProblemDetails) -> Text? {
    try single(parameter).map { value throws(ProblemDetails) in
      try HeldRevision.revisionName(value, in: parameter)
    }
  }
}

/// From the body of a request.
extension HeldRevision {
  private static let memberNames = Set(parameters.map { Text($0) })

  /// Reads the object that a body has for a view model.
  ///
  /// - Throws: `JSONShapeError` with a pointer to the member at fault.
  init(_ instance: JSONReader) throws(JSONShapeError) {
    try instance.rejectUnknownMembers(allowed: Self.memberNames)
    if let since = try instance.optionalMember("since") {
      let name = try since.string()
      guard RevisionToken.isWellFormed(name.string) else {
        throw since.error("expected a revision: \(RevisionToken.form)")
      }
      self.since = name
    }
    if let have = try instance.optionalMember("have") {
      guard let hash = ContentHash(try have.string().string) else {
        throw have.error("expected a SHA-256 in base64url without padding")
      }
      self.have = hash
    }
    window = try Self.window("window", of: instance)
    next = try Self.window("next", of: instance)
    if let problem = completeWindows() { throw instance.error(problem) }
  }

  private static func window(
    _ name: Text, of instance: JSONReader
  ) throws(JSONShapeError) -> RowWindow? {
    guard let window = try instance.optionalMember(name) else { return nil }
    try window.rejectUnknownMembers(allowed: ["start", "count"])
    return try RowWindow(window)
  }
}
