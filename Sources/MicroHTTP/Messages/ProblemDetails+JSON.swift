import HTTPTypes

extension ProblemDetails {
  /// The canonical JSON of the problem: UTF-8, members sorted, no white space, `/` not escaped.
  func json(instance: String?) -> [UInt8] {
    var texts = extensions
    texts["code"] = code
    texts["detail"] = detail
    texts["instance"] = instance
    texts["pointer"] = pointer
    texts["title"] = title
    texts["type"] = type
    texts["status"] = ""
    var json = Array("{".utf8)
    for (index, name) in texts.keys.sorted().enumerated() {
      if index > 0 { json.append(UInt8(ascii: ",")) }
      Self.appendString(name, to: &json)
      json.append(UInt8(ascii: ":"))
      if name == "status" {
        json.append(contentsOf: String(status.code).utf8)
      } else {
        Self.appendString(texts[name] ?? "", to: &json)
      }
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// Appends a JSON string (RFC 8259, section 7), escaping only what must be.
  private static func appendString(_ text: String, to json: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    json.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      let short: UInt8? =
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0a: UInt8(ascii: "n")
        case 0x0c: UInt8(ascii: "f")
        case 0x0d: UInt8(ascii: "r")
        default: nil
        }
      if let short {
        json.append(UInt8(ascii: "\\"))
        json.append(short)
      } else if byte < 0x20 {
        json.append(contentsOf: "\\u00".utf8)
        json.append(digits[Int(byte >> 4)])
        json.append(digits[Int(byte & 15)])
      } else {
        json.append(byte)
      }
    }
    json.append(UInt8(ascii: "\""))
  }
}
