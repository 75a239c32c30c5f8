import CScreens
package import CanonicalJSON
import ViewState

/// A file that is part of the product: a function of `CScreens`.
typealias EmbeddedFile = (UnsafeMutablePointer<Int>?) -> UnsafePointer<UInt8>?

/// The data that a server without data of its own starts with.
enum DemoData {
  /// Reads a file that is part of the product.
  ///
  /// - Precondition: it can be read.
  static func read<Data>(
    _ file: EmbeddedFile, _ read: (JSONReader) throws(JSONShapeError) -> Data
  ) -> Data {
    var size = 0
    let bytes = [UInt8](UnsafeBufferPointer(start: file(&size), count: size))
    do {
      return try read(JSONReader(JSONValue(parsing: bytes)))
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}

/// What a feature of the demo adds to the OpenAPI document: the file `openapi.json` beside its screens.
package enum DemoDocument {
  package static let catalog = read(viewdelta_catalog_openapi)
  package static let form = read(viewdelta_form_openapi)
  package static let podcasts = read(viewdelta_podcasts_openapi)
  package static let profile = read(viewdelta_profile_openapi)
  package static let scoreboards = read(viewdelta_scoreboards_openapi)

  private static func read(_ file: EmbeddedFile) -> JSONValue {
    DemoData.read(file) { file in file.value }
  }

  /// Returns the types of rows that components of the OpenAPI document describe.
  ///
  /// - Precondition: Each component is in one of the fragments and has a `type` and a description.
  static func rowTypes(_ components: [Text], in fragments: JSONValue...) -> [RowTypeDescriptor] {
    components.map { component in
      let place = "/components/schemas/\(component)"
      func text(_ member: String) -> Text? {
        for fragment in fragments {
          let value = JSONPointer(place + member).flatMap { fragment.value(at: $0) }
          if case .string(let text)? = value { return text }
        }
        return nil
      }
      guard let name = text("/properties/type/const"), let summary = text("/description") else {
        preconditionFailure("\(component) describes no type of rows")
      }
      return RowTypeDescriptor(
        name: name, summary: summary.string, schema: ["$ref": .string("#\(place)")])
    }
  }
}
