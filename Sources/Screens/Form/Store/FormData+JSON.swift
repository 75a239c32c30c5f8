import CScreens
public import CanonicalJSON
import ViewState

extension FormData {
  /// Reads an object with the array `forms`, each with its sections and perhaps with `activity`, the
  /// entries of what has happened with it.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(
    _ reader: JSONReader, limits: AccountLimits = FormSchema.limits
  ) throws(JSONShapeError) {
    self.init(limits: limits)
    var filling = AccountFilling<FormSchema>()
    for element in try reader.nullableMember("forms")?.elements() ?? [] {
      let form = try Form(element.omitting("activity"))
      try element.storing { () throws(Failure) in _ = try insert(form) }
      for item in try element.nullableMember("activity")?.elements() ?? [] {
        let entry = try ActivityEntry(item)
        try item.storing { () throws(Failure) in
          try filling.add(entry, of: form.id, to: &self)
        }
      }
    }
    filling.end(in: &self)
  }

  /// The forms that a server starts with: one with every kind of row, and a small one.
  public static func demo() -> FormData {
    DemoData.read(viewdelta_form_data) { data throws(JSONShapeError) in
      try FormData(data)
    }
  }
}

extension CompanyData {
  /// Reads an object with the array `companies`.
  ///
  /// - Throws: `JSONShapeError` at the first fault.
  public init(_ reader: JSONReader) throws(JSONShapeError) {
    self.init()
    for element in try reader.nullableMember("companies")?.elements() ?? [] {
      let company = try Company(element)
      try element.storing { () throws(Failure) in _ = try insert(company) }
    }
  }

  /// The made-up firms that a server starts with.
  public static func demo() -> CompanyData {
    DemoData.read(viewdelta_form_data) { data throws(JSONShapeError) in
      try CompanyData(data)
    }
  }
}
