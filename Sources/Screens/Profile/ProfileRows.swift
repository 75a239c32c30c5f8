import CanonicalJSON
import Snapshots
import ViewState

/// The rows of the profile screen, one function for each type but those of failures.
extension RowCache {
  mutating func profileHeader(_ header: ProfileHeader) -> Row {
    row("profile/header", for: header) { header in
      var fields: [Text: JSONValue] = [
        "username": loadingText(header.user?.username ?? "", header.isLoading)
      ]
      fields["avatarURL"] = header.user?.avatarURL.map(JSONValue.string)
      // A user without a count of friends has no such field; before the load nobody knows.
      if let user = header.user {
        fields["friendsCount"] = user.friendsCount.map { loadingText("\($0)", header.isLoading) }
      } else {
        fields["friendsCount"] = loadingText("", header.isLoading)
      }
      return Row(id: "profile/header", type: "profileHeader", fields: fields)
    }
  }

  /// Location and Website, each only where the user has one.
  mutating func attributes(of user: User) -> [Row] {
    let location = user.city.map { attribute("profile/location", name: "Location", value: $0) }
    let website = user.website.map { attribute("profile/website", name: "Website", value: $0) }
    return [location, website].compactMap { $0 }
  }

  mutating func contentHeader() -> Row {
    text("posts/header", type: "contentHeader", "Posts")
  }

  mutating func contentLoading() -> Row {
    row("posts/loading", for: true) { _ in Row(id: "posts/loading", type: "contentLoading") }
  }

  mutating func contentEmpty() -> Row {
    text("posts/empty", type: "contentEmpty", "No posts yet")
  }

  private mutating func attribute(_ id: Text, name: Text, value: Text) -> Row {
    row(id, for: value) { value in
      Row(
        id: id, type: "profileAttribute", fields: ["name": .string(name), "value": .string(value)])
    }
  }

  private mutating func text(_ id: Text, type: Text, _ text: Text) -> Row {
    row(id, for: text) { Row(id: id, type: type, fields: ["text": .string($0)]) }
  }
}

extension Post {
  /// The post as a row.
  var row: Row {
    var fields: [Text: JSONValue] = ["title": .string(title), "body": .string(body)]
    fields["date"] = date.map { .string($0.description) }
    return Row(id: "post/\(id)", type: "post", fields: fields)
  }
}

/// A text that may still be on its way.
private func loadingText(_ text: Text, _ isLoading: Bool) -> JSONValue {
  .object(["isLoading": .bool(isLoading), "text": .string(text)])
}
