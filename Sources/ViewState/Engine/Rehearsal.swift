import CanonicalJSON
import Snapshots

#if DEBUG
  /// What an input would change, found in a debug build by applying it once before it counts.
  ///
  /// Equal inputs must do the same on each server and in each replay, so the input is written as JSON and read again
  /// before, as a journal does.
  struct Rehearsal {
    private let traces: [StepTrace]
    private let memory: EngineMemory

    /// Applies an input and drops its changes.
    ///
    /// - Returns: `nil` if the input cannot be written.
    init?(of input: some Input, in step: Step, _ contents: EngineContents) {
      guard let json = try? input.json(),
        let bytes = try? JSONValue(parsing: json.canonicalBytes()),
        let again = try? contents.input(JSONReader(bytes))
      else { return nil }
      Self.apply(again, in: step)
      traces = step.moved.map { StepTrace(of: $0) }
      memory = step.memory
    }

    /// Checks that the application that counts did the same.
    func check(_ step: Step) {
      for draft in step.moved {
        // An instance that nothing has touched may have been added or dropped meanwhile.
        let first = traces.first { $0.name == draft.instance.name }
        guard let difference = first?.difference(from: StepTrace(of: draft)) else { continue }
        Self.fail("the view model \(draft.instance.loggedName)", difference)
      }
      if memory != step.memory {
        Self.fail(
          step.moved.first.map { "the view model \($0.instance.loggedName)" } ?? "a store",
          "the outcome")
      }
    }

    private static func fail(_ subject: String, _ difference: String) -> Never {
      fatalError(
        """
        \(subject) gives another result when the same input is applied again, in \(difference): its code may \
        depend only on the state and the input, and not on a random number, the time or the order of a set
        """)
    }

    private static func apply(_ input: some Input, in step: Step) {
      _ = input.apply(in: step)
      step.settle()
    }
  }

  /// The changes of an instance by an input.
  struct StepTrace {
    let name: Text
    let revision: RevisionToken?
    let digest: Digest?
    let state: [UInt8]
    let effects: [Effect]
    let isRemoved: Bool

    init(of draft: InstanceDraft) {
      let revision = draft.change.revision ?? draft.head
      var isShown = revision.isMade
      if case .fault = draft.change { isShown = false }
      name = draft.instance.name
      self.revision = draft.change.token ?? revision.token
      digest = isShown ? revision.snapshot.digest : nil
      state = draft.encodedState
      effects = draft.effects
      isRemoved = draft.isRemoved
    }

    /// Returns the first difference between two traces of one input; `nil` if there is none. Rows are compared only if
    /// both traces have them, because a reader may have made them in between.
    func difference(from other: StepTrace) -> String? {
      let areMade = digest != nil && other.digest != nil
      return if areMade && digest != other.digest {
        "the rows"
      } else if areMade && state != other.state {
        "the state as JSON"
      } else if effects != other.effects {
        "what it starts to load or to write"
      } else if isRemoved != other.isRemoved || revision != other.revision {
        "whether it changes or ends"
      } else {
        nil
      }
    }
  }

  extension Resource {
    /// Checks that a start from a journal would read the resource as it is, its lists and objects included.
    ///
    /// - Precondition: A field reads each property that code changes.
    func checkReading() {
      let reading: String
      do {
        let again = try JSONValue(encoding: self).decode(Self.self)
        if again == self { return }
        reading = "as \(again.json)"
      } catch {
        reading = "with an error, \(error)"
      }
      fatalError(
        "code writes the resource \(json) of type \(Self.self), which a start from a journal reads \(reading)"
      )
    }
  }
#endif
