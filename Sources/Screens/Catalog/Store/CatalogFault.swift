public import CanonicalJSON
import Snapshots
import ViewState

/// What keeps an operation from being done, and where it stands in what the client sent.
public struct CatalogFault: Error, Codable, Hashable, Sendable {
  /// The member at fault, from the operation or batch on.
  public let place: JSONPointer
  /// One sentence that names the ids.
  public let message: String

  init(_ place: [Text], _ message: String) {
    self.place = JSONPointer(tokens: place)
    self.message = message
  }

  /// The same fault as seen from further out.
  func within(_ tokens: Text...) -> CatalogFault {
    CatalogFault(tokens + place.tokens, message)
  }

  /// The fault as one of the document in which the batch stands.
  func shapeError(in document: JSONPointer) -> JSONShapeError {
    JSONShapeError(
      pointer: JSONPointer(tokens: document.tokens + place.tokens), message: message)
  }
}

/// Where in an operation a refusal comes from, so that a client can point at it.
extension CatalogOperation {
  /// The place of the member at fault, from the operation on.
  func place(of error: SnapshotOperationError) -> [Text] {
    switch error {
    case .unknownSections(let ids), .unknownItems(let ids): unknownPlace(Self.ids(ids))
    case .duplicates(let error): duplicatePlace(error)
    case .noSection: ["section"]
    case .ownAnchor: anchorPlace
    case .changedTypes(let ids):
      namedElements.first { Self.ids(ids).contains($0.id) }.map { $0.place + ["type"] } ?? []
    }
  }

  /// What is not there is the anchor, the section, or what should be moved or changed.
  private func unknownPlace(_ ids: Set<ResourceID>) -> [Text] {
    switch self {
    case .moveSection(let id, _), .moveItem(let id, _):
      ids.contains(id) ? ["id"] : anchorPlace
    case .insertSections, .insertItems: anchorPlace
    case .appendItems: ["section"]
    case .reloadSections, .reloadItems, .reconfigureItems:
      namedElements.first { ids.contains($0.id) }.map { $0.place + ["id"] } ?? []
    case .appendSections, .deleteSections, .deleteItems, .deleteAllItems: []
    }
  }

  /// The element that has an id which one before it in the operation has, else the first that has
  /// one which was there before.
  private func duplicatePlace(_ error: SnapshotError) -> [Text] {
    let sections = Self.ids(error.duplicateSectionIDs)
    let items = Self.ids(error.duplicateRowIDs)
    let suspects = namedElements.filter { ($0.isSection ? sections : items).contains($0.id) }
    var (seenSections, seenItems): (Set<ResourceID>, Set<ResourceID>) = ([], [])
    let repeated = suspects.first { element in
      element.isSection
        ? !seenSections.insert(element.id).inserted : !seenItems.insert(element.id).inserted
    }
    return (repeated ?? suspects.first).map { $0.place + ["id"] } ?? []
  }

  private var anchorPlace: [Text] {
    switch self {
    case .insertSections(_, let place), .moveSection(_, let place), .insertItems(_, let place),
      .moveItem(_, let place):
      switch place {
      case .before: ["before"]
      case .after: ["after"]
      }
    case .appendSections, .deleteSections, .reloadSections, .appendItems, .deleteItems,
      .deleteAllItems, .reloadItems, .reconfigureItems:
      []
    }
  }

  private typealias Element = (place: [Text], id: ResourceID, isSection: Bool)

  /// The sections and items in the operation, in the order in which they stand there.
  private var namedElements: [Element] {
    switch self {
    case .appendSections(let sections), .insertSections(let sections, _),
      .reloadSections(let sections):
      sections.enumerated().flatMap { index, section in
        let place: [Text] = ["sections", "\(index)"]
        return [(place, section.id, true)] + Self.elements(section.items.map(\.id), in: place)
      }
    case .appendItems(let items, _), .insertItems(let items, _), .reloadItems(let items):
      Self.elements(items.map(\.id), in: [])
    case .reconfigureItems(let patches): Self.elements(patches.map(\.id), in: [])
    case .deleteSections, .moveSection, .deleteItems, .deleteAllItems, .moveItem: []
    }
  }

  private static func elements(_ items: [ResourceID], in place: [Text]) -> [Element] {
    items.enumerated().map { (place + ["items", "\($0)"], $1, false) }
  }

  private static func ids(_ texts: [Text]) -> Set<ResourceID> {
    Set(texts.map { ResourceID(named: $0) })
  }
}
