import CanonicalJSON
import MicroHTTP
import Snapshots
import ViewState

/// Keeps the arrays of objects of a data file that no feature takes. Each is shown as a list screen
/// `collection/{name}` and has REST endpoints under `/v1/collections/{name}`.
struct DataCollections: StoreValue {
  typealias Elements = ResourceCollection<DataElement>

  struct Write: Codable, Sendable {
    let collection: Text
    let write: Elements.Write
  }

  fileprivate var collections: [Text: Elements] = [:]

  /// The limits of each collection. An element takes about ten times its size as JSON.
  private static let limits = CollectionLimits(byteCount: 1024 * 1024 * 1024)

  /// No collections.
  init() {}

  /// Reads the arrays of a data file.
  ///
  /// An array is a collection if all its elements are objects and its name can be a key of a screen.
  ///
  /// - Parameter taken: The members that features have taken.
  /// - Throws: `JSONShapeError` for an invalid or repeated id, and if there are more elements than a
  ///   collection holds.
  /// - Complexity: O(*n* log *n*) expected, where *n* is the number of elements.
  init(_ file: JSONReader, besides taken: Set<Text>) throws(JSONShapeError) {
    for name in try file.memberNames where !taken.contains(name) {
      guard (try? ResourceID(JSONReader(.string(name)))) != nil,
        let array = try file.optionalMember(name), case .array(let elements) = array.value,
        elements.allSatisfy(\.isObject)
      else { continue }
      collections[name] = try Elements(
        "element", plural: name, limits: Self.limits, reading: array)
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    collections = try container.decode([Text: Elements].self, forKey: .collections)
    // A journal may have those of another version, which counted other bytes.
    for name in names { collections[name]?.limits = Self.limits }
  }

  var names: [Text] { collections.keys.sorted() }

  static let missing = MissingElement(
    "collection", detail: "there is no collection of this name under /v1/collections")

  func collection(_ name: Text) throws(StoreError) -> Elements {
    guard let collection = collections[name] else { throw .missing(Self.missing) }
    return collection
  }

  mutating func apply(
    _ write: Write, at time: Timestamp
  ) throws(StoreError) -> Written<Versioned<DataElement>> {
    let name = write.collection
    var collection = try collection(name)
    let before = collection.version
    let written = try collection.apply(write.write, at: time)
    if collection.version == before { return Written(unchanged: written.output) }
    let resource = written.output.resource
    let former = collections[name]?.elements[id: resource.id]
    collections[name] = collection
    let made = former.flatMap { resource.json.copiedByteCount(since: $0.json) } ?? 0
    return Written(written.output, changing: [name], of: name).making(made)
  }
}

/// An element of an array of a data file, with all its members.
struct DataElement: Resource {
  let id: ResourceID
  /// The members of the object, with its id.
  fileprivate let members: [Text: JSONValue]
  /// The size of the object as canonical JSON, in bytes.
  fileprivate let documentSize: Int
  let byteCount: Int

  static let fields: [Field<DataElement>] = []

  init(id: ResourceID) {
    self.init(id, ["id": id.json])
  }

  private init(_ id: ResourceID, _ members: [Text: JSONValue]) {
    (self.id, self.members) = (id, members)
    if let names = DeclaredNames.current {
      // Rows have longer names for them, so a copy of a journal with other texts must keep them.
      for name in members.keys where Self.isReserved(name) { names.insert(name) }
    }
    let json = JSONValue.object(members)
    documentSize = json.canonicalByteCount
    byteCount = Self.entryByteCount + json.memoryByteCount
  }

  init(_ body: JSONReader, assigned: ResourceID?) throws(JSONShapeError) {
    var members = try body.object()
    let id = try body.resourceID("id", assigned: assigned)
    members["id"] = id.json
    self.init(id, members)
    guard documentSize <= Self.largestDocument else {
      throw body.error("expected at most \(Self.largestDocument) bytes of JSON")
    }
  }

  var json: JSONValue { .object(members) }

  /// Returns whether a row has another name for a member, because `id` and `type` are members of the row.
  fileprivate static func isReserved(_ name: Text) -> Bool {
    let bare = name.string.drop { $0 == "_" }
    return bare == "id" || bare == "type"
  }

  /// The memory of an element in the tables of its collection, in bytes, estimated.
  private static let entryByteCount = 320
  /// The memory of a member in the table of an element, in bytes, estimated.
  fileprivate static let memberByteCount = 96
  /// The largest size of an element as canonical JSON, in bytes.
  private static let largestDocument = 1024 * 1024
  /// The size from which an element is encoded outside the threads that serve connections, in bytes.
  fileprivate static let largeDocument = 16 * 1024

  static let schema: JSONValue = [
    "type": "object", "required": ["id"], "properties": ["id": ResourceID.valueType.schema],
    "description": "Any JSON object, with all its members as they were sent.",
  ]

  static let inputSchema: JSONValue = [
    "type": "object", "description": "Any JSON object. If it has no `id`, it gets one.",
    "properties": ["id": ["anyOf": [ResourceID.valueType.schema, ["type": "null"]]]],
  ]
}

/// Shows the elements of a collection of a data file.
struct DataCollectionScreen: Screen {
  struct State: Codable, Equatable, Sendable {
    let name: Text
    let elements: KeyedSequence<DataElement>
  }

  static let name: Text = "collection"
  static let keyName = "name"
  static let summary = "The elements of an array of the data file."

  let store: Store<DataCollections>

  var shownStores: [ShownStore] { [.element(of: store)] }

  func initialState(for key: Text, in stores: Stores) throws(ScreenLookupError) -> State {
    guard let collection = stores[store].collections[key] else { throw .unknownKey }
    return State(name: key, elements: collection.elements)
  }

  func body(_ state: State) -> [ListSection] {
    ListSection("elements") {
      ForEach(state.elements) { [name = state.name] element in
        Row(id: "\(name)/\(element.id)", type: Self.rowType.name, fields: Self.fields(element))
      }
    }
  }

  /// Returns the members of an element under names that are free in a row: `id` becomes `_id`, and `_id`
  /// becomes `__id`.
  private static func fields(_ element: DataElement) -> [Text: JSONValue] {
    var fields: [Text: JSONValue] = [:]
    for (name, value) in element.members {
      fields[DataElement.isReserved(name) ? "_\(name)" : name] = value
    }
    return fields
  }

  private static let rowSummary =
    "An element of a collection with its members, of which `id` is named `_id` and `type` is named `_type`."

  static let rowType = RowTypeDescriptor(
    name: "element", summary: rowSummary,
    schema: [
      "type": "object", "required": ["id", "type", "_id"],
      "properties": [
        "id": ["type": "string", "description": "The name of the collection, `/` and the id."],
        "type": ["const": "element"], "_id": ResourceID.valueType.schema,
      ],
      "description": .string(Text(rowSummary)),
    ])

  var rowTypes: [RowTypeDescriptor] { [Self.rowType] }
}

extension ApplicationBuilder {
  /// Adds the collections of the data file that no feature has taken, or those of the journal.
  mutating func addDataCollections() throws(JSONShapeError) {
    let name: Text = "collections"
    let read = try data.map { (data) throws(JSONShapeError) in
      try DataCollections(data, besides: takenMembers)
    }
    guard read?.collections.isEmpty == false || engine.hasRecorded(name) else { return }
    let store = Store(name, read ?? DataCollections(), in: engine)
    let collections = store.value
    // There are none if the journal has some that cannot be read. The start of the engine says so.
    guard let first = collections.names.first else { return }
    for name in collections.names { _ = takeData(name) }
    add(DataCollectionScreen(store: store), keys: .only(collections.names))
    let document = ResourceDocument(
      path: "/v1/collections/{name}",
      [
        ResourceDocument.Noun(
          "collection", parameter: "name", id: .string(first),
          missing: DataCollections.missing),
        ResourceDocument.Noun("element", id: 1, missing: MissingElement("element")),
      ], tag: "Collections", of: DataElement.self, example: ["id": 1, "title": "One"],
      change: ["title": "Two"], summaries: [.list: "The elements of a collection"])
    add(Self.endpoints(of: store, document))
    self.document(causesNaming: collections.names)
  }

  private static func endpoints(
    of store: Store<DataCollections>, _ document: ResourceDocument
  ) -> CollectionEndpoints<DataElement> {
    @Sendable func collection(
      _ request: Request
    ) throws(StoreError) -> DataCollections.Elements {
      try store.value.collection(request.id("name").text)
    }
    return CollectionEndpoints(
      path: document.path,
      page: { (request, range) throws(StoreError) in try collection(request).page(range) },
      read: { (request) throws(StoreError) in try collection(request).element(request.id()) },
      write: { (request, write, key) async throws(StoreError) in
        try await store.write(.init(collection: request.id("name").text, write: write), once: key)
      },
      isLarge: { $0.documentSize > DataElement.largeDocument }, document: document)
  }
}

extension JSONValue {
  fileprivate var isObject: Bool { if case .object = self { true } else { false } }

  /// The estimated memory of the tables of members that a patch copies to make this value of a former one, in bytes;
  /// `nil` if both are equal.
  ///
  /// - Complexity: O(*n*) expected, where *n* is the number of values in it.
  fileprivate func copiedByteCount(since former: JSONValue) -> Int? {
    guard case .object(let members) = self, case .object(let known) = former else {
      return self == former ? nil : 0
    }
    var byteCount = members.count * DataElement.memberByteCount
    var isEqual = members.count == known.count
    for (name, value) in members {
      guard let old = known[name] else {
        isEqual = false
        continue
      }
      guard let copied = value.copiedByteCount(since: old) else { continue }
      (byteCount, isEqual) = (byteCount + copied, false)
    }
    return isEqual ? nil : byteCount
  }
}
