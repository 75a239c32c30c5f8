package import CanonicalJSON

extension JSONValue {
  /// Passes on all texts in the value with the fields that they are in, and the names of members with themselves.
  ///
  /// The field of a text is the name of the nearest member. A value that is entered into a row of a form, such as
  /// `{"row":"city","value":"Bonn"}`, is in the field that the row names.
  package func forEachText(
    in field: Text = "", _ body: (_ field: Text, _ text: Text) -> Void
  ) {
    switch self {
    case .string(let text): body(field, text)
    case .array(let elements): for element in elements { element.forEachText(in: field, body) }
    case .object(let members):
      var row: Text?
      if case .string(let id)? = members["row"] { row = id }
      for (name, value) in members {
        body(name, name)
        value.forEachText(in: name == "value" ? row ?? name : name, body)
      }
    case .null, .bool, .integer, .number: break
    }
  }
}

extension Redaction {
  /// Returns the fields of the texts that are replaced in a document.
  package func fields(of json: JSONValue) -> Set<Text> {
    var fields: Set<Text> = []
    json.forEachText { field, text in
      if redacted(text) != text { fields.insert(field) }
    }
    return fields
  }
}
