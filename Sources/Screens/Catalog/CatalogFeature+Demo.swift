import CanonicalJSON

extension CatalogData {
  /// Returns the catalogs that a server without a data file starts with.
  public static func demo(limits: CatalogLimits = CatalogLimits()) -> CatalogData {
    DemoData.read(
      #"""
      {
        "catalogs": [
          {
            "id": 1,
            "sections": [
              {
                "id": "featured",
                "title": "Featured",
                "items": [
                  {"id": "atlas", "type": "catalogFeature", "title": "Atlas of the Night Sky", "detail": "With 88 charts", "badge": "New"}
                ]
              },
              {
                "id": "books",
                "title": "Books",
                "items": [
                  {"id": "knots", "title": "The Book of Knots", "detail": "Paperback"},
                  {"id": "ferns", "title": "Ferns and Mosses"},
                  {"id": "tides", "title": "Reading the Tides", "badge": "Last copies"}
                ]
              },
              {
                "id": "maps",
                "title": "Maps",
                "items": [
                  {"id": "lisbon", "title": "Lisbon on Foot"},
                  {"id": "alps", "title": "The Western Alps", "detail": "1 : 50,000"},
                  {
                    "id": "islands",
                    "title": "Islands of the North",
                    "detail": "Three sheets",
                    "loadsChildren": true,
                    "children": [
                      {"id": "lofoten", "title": "Lofoten"},
                      {"id": "faroes", "title": "The Faroes"},
                      {"id": "shetland", "title": "Shetland"}
                    ]
                  }
                ]
              }
            ]
          },
          {"id": 2}
        ]
      }
      """#
    ) { file throws(JSONShapeError) in try CatalogData(file, limits: limits) }
  }
}
