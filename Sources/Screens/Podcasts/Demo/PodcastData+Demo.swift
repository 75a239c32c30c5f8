import CScreens
import CanonicalJSON

extension PodcastData {
  /// The listeners that a server starts with: two with podcasts, one without any, one who has no
  /// feed yet, and one whose feed is broken.
  public static func demo() -> PodcastData {
    DemoData.read(viewdelta_podcasts_data) { data throws(JSONShapeError) in
      try PodcastData(data)
    }
  }
}
