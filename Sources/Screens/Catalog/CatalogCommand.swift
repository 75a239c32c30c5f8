import CanonicalJSON
import ViewState

/// What clients may send to a catalog.
enum CatalogCommand: Text, CaseIterable {
  case apply

  var descriptor: CommandDescriptor {
    switch self {
    case .apply:
      CommandDescriptor(
        type: rawValue,
        summary: "Applies a list of operations in their order, all of them or none, as one change. "
          + "The reply's `details.ignored` counts the ids that could not be deleted because they "
          + "are not there.",
        arguments: ["operations": CatalogSchema.operations], required: ["operations"])
    }
  }
}

extension SentCommand {
  /// The operations that a command on a catalog stands for.
  func catalogOperations(limits: CatalogLimits) throws(Refusal) -> [CatalogOperation] {
    guard let known = CatalogCommand(rawValue: type) else { throw unknown }
    do throws(JSONShapeError) {
      switch known {
      case .apply: return try body.member("operations").catalogOperations(limits: limits)
      }
    } catch {
      throw Refusal(error)
    }
  }

  /// Names the member that is at fault for a batch that was not done.
  func refusal(_ fault: CatalogFault) -> Refusal {
    Refusal(fault.shapeError(in: body.pointer))
  }
}

extension JSONReader {
  fileprivate func catalogOperations(
    limits: CatalogLimits
  ) throws(JSONShapeError) -> [CatalogOperation] {
    let elements = try elements()
    guard elements.count <= limits.operationsPerCommand else {
      throw error("expected at most \(limits.operationsPerCommand) operations")
    }
    var operations: [CatalogOperation] = []
    for element in elements { operations.append(try CatalogOperation(element)) }
    return operations
  }
}
