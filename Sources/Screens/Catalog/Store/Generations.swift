import CanonicalJSON
import Snapshots
import ViewState

/// The generations of a catalog's sections and items other than 0, by their ids.
struct Generations: Codable, Equatable {
  private var sections: [Text: Int] = [:]
  private var items: [Text: Int] = [:]

  init() {}

  init(of content: CatalogContent) {
    for section in content.shown.sections {
      if section.generation != 0 { sections[section.id] = section.generation }
      for row in section.rows where row.generation != 0 { items[row.id] = row.generation }
    }
    for item in content.outlines.values.lazy.flatMap(\.entries).map(\.item)
    where item.generation != 0 {
      items[item.id] = item.generation
    }
  }

  func generation(of section: Section) -> Int { sections[section.id] ?? 0 }

  func generation(of item: Row) -> Int { items[item.id] ?? 0 }
}
