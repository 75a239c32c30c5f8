import CanonicalJSON

extension JSONReader {
  /// Puts what was read from here into a store that is being filled.
  ///
  /// - Throws: `JSONShapeError` for an id that is used twice, and for more than the store takes.
  func storing<Missing>(
    _ insert: () throws(StoreError<Missing>) -> Void
  ) throws(JSONShapeError) {
    do {
      try insert()
    } catch {
      switch error {
      case .duplicateID(let id):
        throw JSONShapeError(
          pointer: pointer.appending("id"), message: "the id \(id) is used twice")
      case .full:
        throw self.error("this is more than the store takes")
      case .malformed(let error):
        throw error
      case .missing, .changedMeanwhile:
        throw self.error("this belongs to something that is not there")
      }
    }
  }
}
