import CanonicalJSON

extension ProfileData {
  /// The users and posts that a server without data of its own starts with.
  public static func demo(limits: ProfileStoreLimits = ProfileStoreLimits()) -> ProfileData {
    do {
      return try ProfileData(
        JSONReader(JSONValue(parsing: PackageResources.demo_json)), limits: limits)
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}
