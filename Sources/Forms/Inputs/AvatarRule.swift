import CanonicalJSON
import ViewState

/// The rule of a field for the address of a picture, such as that of the user, with a cap on the size at which
/// it is shown.
struct AvatarRule: LineRule {
  /// The most pixels of CSS that the picture is wide and high.
  var cap = usualCap

  private static let usualCap = 96

  static let kind: Text = "avatar"
  static let fields = [
    Field(
      "cap", \AvatarRule.cap,
      .integer(16...512).described(
        "The largest width and height of the picture in CSS pixels; 96 by default."
      ).usually(usualCap))
  ]

  static let rowType = RowType.field(
    "avatarField",
    "A field for the address of a picture: one on the web, or a path of this server such as "
      + "`/pictures/ada.svg`.",
    more: [
      Field(
        "cap",
        "The largest width and height of the picture in CSS pixels. A client scales a larger picture down."
      ) { ($0.field.rule as? AvatarRule)?.cap ?? usualCap },
      Field("picture", "The picture to show; absent while there is no right address.") { $0.right },
    ])

  var input: InputType { InputType(type: .text) }

  func error(of text: Text) -> FieldError? {
    let address = text.trimmed
    let isAddress = WebAddress(address) != nil || WebAddress.isPath(address)
    return isAddress && address.byteCount <= 2_048
      ? nil
      : FieldError(
        "invalid-url", en: "That is not the address of a picture.",
        de: "Das ist keine Adresse eines Bildes.")
  }
}

extension InputLine {
  /// The value if it is a text that is not wrong.
  fileprivate var right: Text? {
    guard field.isFilled(value), field.judge(value, in: .en) == nil, case .string(let text) = value
    else {
      return nil
    }
    return text
  }
}
