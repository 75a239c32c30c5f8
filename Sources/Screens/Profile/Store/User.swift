public import CanonicalJSON
public import ViewState

/// A user, in the shape of a json-server file.
public struct User: Hashable, Sendable {
  /// The id, unique among the users, which is also the key of the view model.
  public let id: ResourceID
  /// The name shown.
  public var username: Text
  /// The e-mail address, which no screen shows.
  public var email: Text?
  /// The website, which the row "Website" shows.
  public var website: Text?
  /// The city, which the row "Location" shows; `address.city` in JSON.
  public var city: Text?
  /// The address of the picture in the header, or its path on this server; `avatarURL` or `image` in JSON.
  public var avatarURL: Text?
  /// The number of friends in the header, from 0.
  public var friendsCount: Int?
}

extension User: Resource {
  public static let summary =
    "A user. Members that were not given are absent, never `null`."

  public static let fields = [
    Field(
      "username", \User.username, line.described("The name shown. At most 1,000 bytes."),
      aliases: ["name"]),
    Field("email", \.email, line.optional),
    Field("website", \.website, .optional(.text(atMostBytes: LongestText.address))),
    Field("address", \.city, city),
    Field(
      "avatarURL", \.avatarURL, .optional(.webAddress(orPath: true)), aliases: ["image"]),
    Field("friendsCount", \.friendsCount, .optional(.count)),
  ]

  public init(id: ResourceID) { self.init(id: id, username: "") }

  private static let line = ValueType<Text>.text(atMostBytes: LongestText.line)

  /// An address, of which only the city is kept.
  private static let city: ValueType<Text?> = {
    let city = line.optional
    return ValueType<Text?>(
      schema: [
        "type": "object", "required": ["city"], "properties": ["city": city.schema],
      ],
      input: [
        "type": "object",
        "properties": ["city": city.schema.mergePatched(with: ["type": ["string", "null"]])],
      ],
      absent: .some(nil),
      read: { (address) throws(JSONShapeError) in
        try address.noteUnknownMembers(besides: ["city"])
        return try city.read("city", of: address)
      },
      write: { city.write($0).map { ["city": $0] } })
  }()
}
