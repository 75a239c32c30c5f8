public import CanonicalJSON

/// What keeps an operation from being done, and where it stands in what the client sent.
public struct CatalogFault: Error, Hashable, Sendable {
  /// The member at fault, from the operation or batch on.
  public let place: JSONPointer
  /// One sentence that names the ids.
  public let message: String

  init(_ place: [Text], _ message: String) {
    self.place = JSONPointer(tokens: place)
    self.message = message
  }

  /// The same fault as seen from further out.
  func within(_ tokens: Text...) -> CatalogFault {
    CatalogFault(tokens + place.tokens, message)
  }

  /// The fault as one of the document in which the batch stands.
  func shapeError(in document: JSONPointer) -> JSONShapeError {
    JSONShapeError(
      pointer: JSONPointer(tokens: document.tokens + place.tokens), message: message)
  }
}
