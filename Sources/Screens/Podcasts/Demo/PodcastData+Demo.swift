import CanonicalJSON

extension PodcastData {
  /// The listeners that a server starts with: two with podcasts, one without any, one who has no
  /// feed yet, and one whose feed is broken.
  public static func demo(limits: PodcastStoreLimits = PodcastStoreLimits()) -> PodcastData {
    do {
      return try PodcastData(
        JSONReader(JSONValue(parsing: PackageResources.podcasts_json)), limits: limits)
    } catch {
      preconditionFailure("the demo data is part of the product: \(error)")
    }
  }
}
