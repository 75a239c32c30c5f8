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
      traces = step.moved.map(\.trace)
      memory = step.memory
      for instance in step.moved { instance.forget() }
    }

    /// Checks that the application that counts did the same.
    func check(_ step: Step) {
      precondition(
        memory == step.memory,
        "applied twice, an input has two outcomes, the second for \(step.moved.map(\.loggedName))")
      for instance in step.moved {
        // An instance that nothing has touched may have been added or dropped meanwhile.
        let (trace, first) = (instance.trace, traces.first { $0.name == instance.name })
        precondition(
          first?.agrees(with: trace) != false,
          "applied twice, an input gives \(first as Any) and \(trace)")
      }
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
    let effects: [String]
    let isRemoved: Bool

    init(of state: InstanceState) {
      let (draft, change) = (state.draft, state.draft?.change)
      let revision = change?.revision ?? state.head
      var isShown = revision.isMade
      if case .fault? = change { isShown = false }
      name = state.name
      self.revision = change?.token ?? revision.token
      digest = isShown ? revision.snapshot.digest : nil
      self.state = draft?.encodedState ?? []
      effects = draft?.effects.map(\.name) ?? []
      isRemoved = draft?.isRemoved == true
    }

    /// Returns whether both may be of one input. What is shown is compared if both have made it: a reader may have come
    /// in between.
    func agrees(with other: StepTrace) -> Bool {
      let isSame =
        (name, revision, effects, isRemoved)
        == (other.name, other.revision, other.effects, other.isRemoved)
      let areMade = digest != nil && other.digest != nil
      return isSame && (!areMade || digest == other.digest && state == other.state)
    }
  }
#endif
