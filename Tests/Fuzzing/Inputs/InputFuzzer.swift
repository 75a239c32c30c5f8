import CanonicalJSON
import Foundation
import Screens
import Snapshots
import TestSupport
import ViewState

/// Checks that the engine is the same function of its inputs in every process.
///
/// - `InputFuzzer record SEED COUNT FILE` applies so many random inputs to all screens and stores, and
///   writes them to a file.
/// - `InputFuzzer replay SEED FILE` applies the inputs of the file, in a process with other hash keys,
///   another history of reads, other settings, and instances that are made anew each time.
///
/// Both print a hash for each input, of the tokens and documents of all screens after it, and hashes of the
/// states of all stores and of what the keys of requests remember at the end. The outputs of a recording and of its replay must be equal.
@main
enum InputFuzzer {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let mode = arguments.first, let seed = arguments.dropFirst().first.flatMap(UInt64.init)
    else { throw LawViolation("usage: InputFuzzer record SEED COUNT FILE | replay SEED FILE") }
    let rest = Array(arguments.dropFirst(2))
    switch (mode, rest.count) {
    case ("record", 2): try await record(seed, count: Int(rest[0]) ?? 0, to: rest[1])
    case ("replay", 1): try replay(seed, from: rest[0])
    default: throw LawViolation("unknown mode \(mode)")
    }
  }

  private static func record(_ seed: UInt64, count: Int, to path: String) async throws {
    let scheduler = ManualScheduler()
    let world = World(
      seed: seed, scheduler: scheduler, untouchedByteCount: .max, settings: RandomInputs.settings)
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw LawViolation("\(path) cannot be written") }
    let entries = Entries()
    world.engine.record(entries.append)
    var random = RandomInputs(seed: seed)
    var (witness, position) = (Witness(), 0)
    while position < count {
      try await random.step(world, scheduler)
      // The end of a load and the time-out of another may come in one step.
      let new = entries.take()
      guard let last = new.last else { continue }
      for entry in new {
        try file.write(contentsOf: JSONValue(encoding: entry).canonicalBytes() + [0x0A])
      }
      position = last.position
      witness.look(at: world, position)
    }
    try witness.end(world)
  }

  private static func replay(_ seed: UInt64, from path: String) throws {
    let scheduler = ManualScheduler()
    let world = World(seed: seed, scheduler: scheduler, untouchedByteCount: 0)
    let lines = try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A)
    var witness = Witness()
    for line in lines {
      let value = try JSONValue(parsing: Array(line), limits: JSONLimits(maximumDepth: 512))
      let entry = try value.decode(Entry.self)
      try world.engine.replay(entry)
      witness.look(at: world, entry.position)
      // Long enough for all instances to go to rest, and to be made again by the next look or input.
      if entry.position % 32 == 0 { scheduler.advance(by: .seconds(300)) }
    }
    try witness.end(world)
  }
}
