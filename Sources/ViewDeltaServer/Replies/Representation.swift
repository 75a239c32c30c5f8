import MicroHTTP

/// The form in which a client wants an answer: what is written, and how it is coded.
struct Representation: Hashable, Sendable {
  let format: DocumentFormat
  let coding: ContentCoding

  static let json = Representation(format: .json, coding: .identity)
}

extension Request {
  /// The representation that the client likes best among the formats on offer.
  ///
  /// - Throws: a 406 problem where Accept excludes all of them.
  func representation(
    among offers: [DocumentFormat] = [.json]
  ) throws(ProblemDetails) -> Representation {
    Representation(format: try format(among: offers), coding: contentCoding)
  }
}
