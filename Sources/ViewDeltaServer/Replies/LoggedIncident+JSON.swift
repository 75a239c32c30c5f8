import CanonicalJSON
import ViewState

extension LoggedIncident {
  /// The entry of a list of incidents. It has no texts that are for the log alone.
  var json: JSONValue {
    var members: [Text: JSONValue] = [
      "at": .string(Text(time.description)), "kind": .string(Text(kind.name.rawValue)),
    ]
    members["revision"] = revision.map { .string(Text($0.description)) }
    switch kind {
    case .loadFailure(let source, let failure):
      members["source"] = .string(source)
      members["code"] = .string(failure.code)
      members["detail"] = .string(Text(failure.message))
    case .saveFailure(let part, let change, let failure):
      members["source"] = .string(part)
      members["change"] = .string(change)
      members["code"] = .string(failure.code)
      members["detail"] = .string(Text(failure.message))
    case .transition(let source, let reason, let action, let state):
      members["source"] = .string(Text(source))
      members["code"] = .string(Text(reason.rawValue))
      members["action"] = .string(Text(action))
      members["state"] = .string(Text(state))
      members["detail"] = reason.detail
    case .assembly:
      members["detail"] = "The state cannot be shown. The log of the server has the reason."
    case .overdue(let position):
      members["detail"] =
        position == nil
        ? "Making the view model takes longer than 1 s." : "An input takes longer than 1 s."
    }
    return .object(members)
  }
}

extension ScreenIncident.Reason {
  fileprivate var detail: JSONValue {
    switch self {
    case .duplicate: "A load was asked for while one runs. Nothing has changed."
    case .late: "A result came after another load had started. Nothing has changed."
    case .impossible: "A result came although no load runs. Nothing has changed."
    }
  }
}
