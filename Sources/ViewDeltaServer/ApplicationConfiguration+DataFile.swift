public import CanonicalJSON
import Screens
public import ViewState

extension ApplicationConfiguration {
  /// Serves what a data file holds, and nothing else: `users` and `posts`, and where they are there
  /// `listeners` with their `podcasts`, `scoreboards`, `catalogs`, `forms` with their `activity`, and
  /// `companies`. A store that the file does not name starts empty; members that are not known are
  /// ignored, wherever they stand.
  ///
  /// - Parameter unknownMembers: notes what is ignored.
  /// - Throws: `JSONShapeError` at the first fault, with its place in the file.
  public init(
    dataFile file: JSONReader, environment: ScreenEnvironment,
    noting unknownMembers: UnknownMembers = UnknownMembers()
  ) throws(JSONShapeError) {
    let file = JSONReader(file.value, pointer: file.pointer, noting: unknownMembers)
    try file.noteUnknownMembers(besides: [
      "users", "posts", "listeners", "scoreboards", "catalogs", "forms", "companies",
    ])
    self.init(data: try ProfileData(file), environment: environment)
    podcasts = try file.has("listeners") ? PodcastData(file) : PodcastData()
    scoreboards = try file.has("scoreboards") ? ScoreboardData(file) : ScoreboardData()
    catalogs = try file.has("catalogs") ? CatalogData(file) : CatalogData()
    forms = try file.has("forms") ? FormData(file) : FormData()
    companies = try file.has("companies") ? CompanyData(file) : CompanyData()
  }
}

extension JSONReader {
  /// Whether the object has the member; a `null` counts as absent.
  fileprivate func has(_ member: Text) throws(JSONShapeError) -> Bool {
    try nullableMember(member) != nil
  }
}
