import Foundation
import TestSupport
import Testing

@Suite("The inputs of all screens, recorded")
struct InputReplayTests {
  @Test(
    "give the same tokens and bytes in another process at every step, and after each restart",
    arguments: [UInt64.random(in: 1...UInt64(UInt32.max)), 1])
  func replay(seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    let file = directory.url.appending(path: "inputs").path
    let program = ServeProcess.binary.deletingLastPathComponent()
      .appending(path: "InputFuzzer").path
    func run(_ arguments: String...) async throws -> [String] {
      try await SocketThread.run { Self.lines(try Program.run(program, arguments)) }
    }
    let here = try await run("record", "\(seed)", "500", file)
    async let replay = run("replay", "\(seed)", file)
    let restarted = try await run("restart", "\(seed)", file)
    let there = try await replay
    // The end of the run has a line for each store, and one for the keys of requests.
    try require(here.suffix(8) == there.suffix(8), "seed \(seed): the stores or keys differ")
    let all = Set(there)
    let missing = here.first { !all.contains($0) }
    try require(missing == nil, "seed \(seed): position \(missing ?? "") differs")
    try require(here.suffix(8) == restarted.suffix(8), "seed \(seed): restarts lose something")
    let wrong = restarted.first { !all.contains($0) }
    try require(wrong == nil, "seed \(seed): a restart at position \(wrong ?? "") differs")
    #expect(restarted.count > 75)
    #expect(here.count > 350 && there.count >= 500)
    #expect(Set(here.map { $0.drop { $0 != " " } }).count > 120, "too little has changed")
  }

  private static func lines(_ output: [UInt8]) -> [String] {
    String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
