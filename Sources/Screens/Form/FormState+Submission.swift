import CanonicalJSON
import ViewState

extension FormState {
  /// Checks what can be seen, and sends the answers if all of it is right.
  ///
  /// What stands in a collapsed group counts, and the groups around a wrong value unfold, so that
  /// the user finds it. What is hidden does not count, and is not sent, except what the form itself
  /// brings along.
  mutating func submit() -> [Effect<FormSource>] {
    if submission.load.loadable.isLoading { return reduceSubmission(.retry) }
    let visible = outline.visible
    changeAll { if visible.contains($0.id) { $0.validate() } }
    let rows = outline.allRows.filter { visible.contains($0.row.id) }
    let wrong = rows.filter { !$0.row.generator.isValid }
    guard wrong.isEmpty else {
      unfold(around: wrong.compactMap(\.group))
      return []
    }
    let carried = outline.carried(beside: visible)
    let answers = outline.answers.filter { visible.contains($0.key) || carried.contains($0.key) }
    let members = answers.reduce(into: [:]) { $0[$1.key.text] = $1.value }
    return reduceSubmission(.ask(.object(members)))
  }

  /// What was said of the last sending does not hold any more once something else is entered.
  mutating func forgetSubmission() -> [Effect<FormSource>] {
    submission.load.loadable.isLoading ? [] : reduceSubmission(.ask(nil))
  }

  mutating func reduceSubmission(
    _ action: LookupAction<JSONValue, ResourceID>
  ) -> [Effect<FormSource>] {
    submission.reduce(action, newest: &newestToken) { .submission($0) }
  }

  private mutating func unfold(around groups: [ResourceID]) {
    let parents = outline.byID(\.group)
    var (open, rest): (Set<ResourceID>, [ResourceID]) = ([], groups)
    while let group = rest.popLast() {
      if open.insert(group).inserted, let parent = parents[group] { rest.append(parent) }
    }
    changeAll { if open.contains($0.id) { $0.expand() } }
  }
}
