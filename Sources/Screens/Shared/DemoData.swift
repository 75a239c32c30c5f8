import CanonicalJSON

/// The data that a server without data of its own starts with.
enum DemoData {
  /// Reads a file that is part of the product.
  ///
  /// - Precondition: it can be read.
  static func read<Data>(
    _ file: [UInt8], _ read: (JSONReader) throws(JSONShapeError) -> Data
  ) -> Data {
    do {
      return try read(JSONReader(JSONValue(parsing: file)))
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}
