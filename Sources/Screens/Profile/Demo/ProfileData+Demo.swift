import CScreens
import CanonicalJSON

extension ProfileData {
  /// The users and posts that a server without data of its own starts with.
  public static func demo() -> ProfileData {
    DemoData.read(viewdelta_profile_data) { data throws(JSONShapeError) in
      try ProfileData(data)
    }
  }
}
