public import CanonicalJSON

/// A resource that belongs to a resource of another kind, its parent. A ``NestedCollection`` keeps both.
///
/// ```swift
/// struct Comment: ChildResource {
///   typealias Parent = Note
///   static let nouns: (parent: Text, child: Text) = ("note", "comment")
///   static let arrays: (parents: Text, children: Text) = ("notes", "comments")
///   static let parentMember: Text? = "noteId"
///   static let fields = [Field("noteId", \Comment.note), Field("text", \.text, .text(1...500))]
///
///   let id: ResourceID
///   var note: ResourceID
///   var text: Text = ""
///
///   init(id: ResourceID) { (self.id, note) = (id, id) }
/// }
/// ```
public protocol ChildResource: Resource {
  associatedtype Parent: Resource
  /// The view of the children that a screen shows; needless if the screen shows the children themselves.
  associatedtype View: ChildView = NoChildView<Self> where View.Child == Self

  /// The names of one parent and of one child, such as `note` and `comment`.
  static var nouns: (parent: Text, child: Text) { get }
  /// The names of the arrays of parents and of children in a data file.
  static var arrays: (parents: Text, children: Text) { get }
  /// The names of parents and children in the causes of revisions; unless defined, those of the arrays.
  static var causes: (parents: Text, children: Text) { get }
  /// The member of a child with the id of its parent; `nil` unless defined.
  ///
  /// If there is such a member, a data file has one array of all children, like a file of json-server, and the id of
  /// each child is unique in it. A body may leave the member out, and must not name a parent other than that of the
  /// path. Without such a member, each parent in a data file has an array of its children, and children of two parents
  /// may have the same id.
  static var parentMember: Text? { get }
  /// The limits of the collection; unless defined, those of `CollectionLimits()`.
  static var limits: CollectionLimits { get }
  /// The kind of element that is missing if a parent has no child with an id.
  static var missingChild: MissingElement { get }
  /// The kind of element that is missing if a parent has had no child so far. If it is `nil`, as unless defined, such
  /// a parent has an empty list.
  static var missingList: MissingElement? { get }

  /// Returns whether a child comes before another one of the same parent, in a strict order. Unless defined, children
  /// are in the order of their creation.
  static func precedes(_ left: Created<Self>, _ right: Created<Self>) -> Bool

  /// Returns a new child, completed with values that its body left out; unless defined, the child as it is.
  ///
  /// - Parameters:
  ///   - child: The child as read from its body.
  ///   - time: The time of the write.
  static func completed(_ child: Self, at time: Timestamp) -> Self
}

extension ChildResource {
  public static var causes: (parents: Text, children: Text) { arrays }
  public static var parentMember: Text? { nil }
  public static var limits: CollectionLimits { CollectionLimits() }
  public static var missingChild: MissingElement {
    MissingElement(nouns.child, of: nouns.parent)
  }
  public static var missingList: MissingElement? { nil }

  public static func precedes(_ left: Created<Self>, _ right: Created<Self>) -> Bool {
    left.number < right.number
  }

  public static func completed(_ child: Self, at time: Timestamp) -> Self { child }

  /// The JSON schema of a body, which may leave out the member with the id of the parent, because the path has it.
  public static var inputSchema: JSONValue {
    inputSchema(optional: parentMember.map { [$0] } ?? [])
  }

  /// The id of the parent as the child has it, `1` or `"1"`; `nil` if the child has no such member.
  var parentID: JSONValue? {
    guard let name = Self.parentMember else { return nil }
    return Self.fields.first { $0.name == name }?.write(self)
  }

  /// Reads the child of a parent.
  ///
  /// - Parameters:
  ///   - parent: The id of the parent as its child has it, `1` or `"1"`, however the body has it.
  ///   - read: Reads a body that has all members.
  /// - Throws: What `read` throws, and `JSONShapeError` if the body names another parent.
  static func child(
    _ body: JSONReader, of parent: JSONValue,
    read: (JSONReader) throws(JSONShapeError) -> Self
  ) throws(JSONShapeError) -> Self {
    guard let name = parentMember else { return try read(body) }
    let filled = try body.filling(name, with: parent)
    let (child, named) = (try read(filled), try filled.member(name))
    if named.value == parent { return child }
    guard try ResourceID(named) == ResourceID(JSONReader(parent)) else {
      throw named.error("expected the id of the \(nouns.parent) in the path")
    }
    return try read(body.omitting(name).filling(name, with: parent))
  }
}

/// A view of the children of a parent, such as their number or sum, for a screen. It is updated with each write, so
/// that neither a write nor a load goes through all children.
public protocol ChildView: Equatable, Sendable {
  associatedtype Child: Sendable

  /// Creates the view of no children.
  init()

  /// Takes over a child that is new or that has changed. It should cost O(log *n*), where *n* is the number of
  /// children.
  mutating func put(_ child: Created<Child>)

  /// Removes a child.
  mutating func remove(_ id: ResourceID)
}

/// An empty view, for a screen that shows the children themselves.
public struct NoChildView<Child: Sendable>: ChildView {
  public init() {}
  public func put(_ child: Created<Child>) {}
  public func remove(_ id: ResourceID) {}
}
