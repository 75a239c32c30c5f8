import CanonicalJSON
import Foundation
import TestSupport
import ViewState

/// Checks that the engine is the same function of its inputs in every process.
///
/// - `InputFuzzer record SEED COUNT FILE` applies so many random inputs to all screens and stores, and
///   writes them to a file.
/// - `InputFuzzer replay SEED FILE` applies the inputs of the file, in a process with other hash keys,
///   another history of reads, and instances that are made anew each time.
/// - `InputFuzzer restart SEED FILE` begins with a journal that has no inputs. Again and again it adds some inputs
///   of the file to the journal, and goes on with a new engine, which writes a checkpoint.
///
/// All print a hash for each input, the last for each engine, of the tokens and documents of all screens after it,
/// and hashes of the states of all stores and of what the keys of requests remember at the end. What a recording
/// prints must be what its replay and its restarts print.
@main
enum InputFuzzer {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let mode = arguments.first, let seed = arguments.dropFirst().first.flatMap(UInt64.init)
    else {
      throw LawViolation("usage: InputFuzzer record SEED COUNT FILE | (replay | restart) SEED FILE")
    }
    let rest = Array(arguments.dropFirst(2))
    switch (mode, rest.count) {
    case ("record", 2): try await record(seed, count: Int(rest[0]) ?? 0, to: rest[1])
    case ("replay", 1): try replay(seed, from: rest[0])
    case ("restart", 1): try restart(seed, from: rest[0])
    default: throw LawViolation("unknown mode \(mode)")
    }
  }

  private static func record(_ seed: UInt64, count: Int, to path: String) async throws {
    let scheduler = ManualScheduler()
    let journal = MemoryJournal()
    let world = try World(
      seed: seed, scheduler: scheduler, keptByteCount: .max, journal: journal)
    guard FileManager.default.createFile(atPath: path, contents: nil),
      let file = FileHandle(forWritingAtPath: path)
    else { throw LawViolation("\(path) cannot be written") }
    var random = RandomInputs(seed: seed)
    var (witness, position) = (Witness(), 0)
    while position < count {
      try await random.step(world, scheduler)
      world.settle()
      // The end of a load and the time-out of another may come in one step.
      let new = journal.entries(after: position, limit: .max)
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
    let world = try World(seed: seed, scheduler: scheduler, keptByteCount: 0)
    var witness = Witness()
    for entry in try entries(in: path) {
      try world.engine.replay(next: entry)
      witness.look(at: world, entry.position)
      // Those that take too much memory go to rest now, and all others after five minutes. The next look or input makes
      // them again.
      scheduler.advance(by: entry.position % 32 == 0 ? .seconds(300) : .zero)
    }
    try witness.end(world)
  }

  private static func restart(_ seed: UInt64, from path: String) throws {
    let journal = MemoryJournal()
    var settings = World.settings
    func next() throws -> World {
      try World(
        seed: seed, scheduler: ManualScheduler(), keptByteCount: 0, settings: settings,
        journal: journal)
    }
    var (world, witness) = (try next(), Witness())
    var new: [Entry] = []
    let all = try entries(in: path)
    for entry in all {
      new.append(entry)
      let input = JSONReader(entry.input)
      if try input.member("kind").value == "configured" {
        settings = try input.member("settings").decode(Settings.self)
      }
      // Some engines go on from a checkpoint alone, others from many entries.
      let isEnd = entry.position % 7 == 0 || entry.position % 64 < 3 || entry == all.last
      guard isEnd else { continue }
      try journal.append(new)
      new = []
      world = try next()
      witness.look(at: world, entry.position)
      if entry.position % 3 > 0 {
        try journal.write(world.engine.checkpoint())
        journal.trim(to: entry.position)
      }
    }
    try witness.end(world)
  }

  private static func entries(in path: String) throws -> [Entry] {
    try Data(contentsOf: URL(filePath: path)).split(separator: 0x0A).map { line in
      try JSONValue(parsing: Array(line), limits: .greatest)
        .decode(Entry.self)
    }
  }
}
