// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghCommand
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CommandConsoleTests {
    private struct Line: Decodable {
        let id: String
        let received: Int
    }

    @Test("A reader who takes nothing keeps only those waiting who write, and gets whole lines in their order")
    func fullPipe() async throws {
        var ends: [CInt] = [0, 0]
        let outcome = pipe(&ends)
        try #require(outcome == 0)
        let (reader, writer) = (ends[0], ends[1])
        defer { for end in [reader, writer] { close(end) } }
        let console = Console(environment: [:], output: Descriptor(writer), error: Descriptor(writer))
        let lines = DownloadLines(ConsoleQueue(console))
        // More than any pipe holds, from more than there are threads in the pool.
        let (tellers, steps) = (64, 100)
        let begun = Kept(0)
        let received = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tellers {
                group.addTask {
                    begun.change { $0 += 1 }
                    let id = UUID()
                    for step in 0..<steps {
                        let progress = DownloadProgress(
                            taskId: id, state: .downloading, downloadedBytes: Int64(step), totalBytes: nil)
                        await lines.tell(progress, nil)
                    }
                }
            }
            try await eventually { begun.value == tellers }
            let received = try await FileQueue.run { try Self.drained(reader, lines: tellers * steps) }
            try await group.waitForAll()
            return received
        }
        var last: [String: Int] = [:]
        for text in received.split(separator: UInt8(ascii: "\n")) {
            let line = try JSONDecoder().decode(Line.self, from: Data(text))
            #expect(line.received == last[line.id, default: -1] + 1)
            last[line.id] = line.received
        }
        #expect(last.count == tellers && last.values.allSatisfy { $0 == steps - 1 })
    }

    /// No more comes.
    private struct Ended: Error {}

    /// Reads until so many lines have come.
    private static func drained(_ descriptor: CInt, lines: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var missing = lines
        let size = 64 * 1024
        var buffer = [UInt8](repeating: 0, count: size)
        while missing > 0 {
            let count = read(descriptor, &buffer, size)
            guard count > 0 else { throw Ended() }
            missing -= buffer.prefix(count).count { $0 == UInt8(ascii: "\n") }
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
