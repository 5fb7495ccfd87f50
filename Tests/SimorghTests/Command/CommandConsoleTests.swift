// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghCommand
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CommandConsoleTests {
    private struct Line: Decodable {
        let id: String
        let received: Int
    }

    private struct Change: Decodable { let gateways: [String] }

    private final class Count: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func add() { count.withLock { $0 += 1 } }
    }

    /// Something that writes for programs.
    enum Writer: CaseIterable {
        case downloads, network
    }

    /// A pipe that is closed with the test.
    private final class ConsolePipe: Sendable {
        let reader: CInt
        let writer: CInt

        init() throws {
            var ends: [CInt] = [0, 0]
            let outcome = pipe(&ends)
            try #require(outcome == 0)
            reader = ends[0]
            writer = ends[1]
        }

        var console: Console {
            Console(environment: [:], output: Descriptor(writer), error: Descriptor(writer))
        }

        /// Whether it takes nothing more for now.
        var isFull: Bool {
            var waiting = pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)
            return poll(&waiting, 1, 0) == 0
        }

        deinit { for end in [reader, writer] { close(end) } }
    }

    @Test(
        "A reader who takes nothing keeps only those waiting who write, and gets whole lines in their order",
        arguments: Writer.allCases)
    func fullPipe(writer: Writer) async throws {
        let pipe = try ConsolePipe()
        let lines = DownloadLines(ConsoleQueue(pipe.console))
        let printer = NetworkPrinter(isJSON: true, console: pipe.console)
        // More than any pipe holds, from more than there are threads in the pool.
        let (tellers, steps) = (64, 100)
        let begun = Count()
        let received = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tellers {
                group.addTask {
                    begun.add()
                    let id = UUID()
                    for step in 0..<steps {
                        switch writer {
                        case .downloads:
                            let progress = DownloadProgress(
                                taskId: id, state: .downloading, downloadedBytes: Int64(step), totalBytes: nil)
                            await lines.tell(progress, nil)
                        case .network:
                            var status = NetworkStatus(.connected(.wifi))
                            status.gateways = [id.uuidString, "\(step)"]
                            try await printer.tell(status, at: Date())
                        }
                    }
                }
            }
            try await eventually { begun.value == tellers }
            let received = try await FileQueue.run { [reader = pipe.reader] in
                try Self.drained(reader, lines: tellers * steps)
            }
            try await group.waitForAll()
            return received
        }
        var last: [String: Int] = [:]
        for text in received.split(separator: UInt8(ascii: "\n")) {
            let (id, step) =
                switch writer {
                case .downloads: try Self.download(text)
                case .network: try Self.change(text)
                }
            #expect(step == last[id, default: -1] + 1)
            last[id] = step
        }
        #expect(last.count == tellers && last.values.allSatisfy { $0 == steps - 1 })
    }

    private static func download(_ text: ArraySlice<UInt8>) throws -> (String, Int) {
        let line = try JSONDecoder().decode(Line.self, from: Data(text))
        return (line.id, line.received)
    }

    private static func change(_ text: ArraySlice<UInt8>) throws -> (String, Int) {
        let gateways = try JSONDecoder().decode(Change.self, from: Data(text)).gateways
        let id = try #require(gateways.first)
        let step = try #require(gateways.last.flatMap { Int($0) })
        return (id, step)
    }

    @Test("Streams that nobody reads let others ask meanwhile, and bring all their lines in the end")
    func fullPipeOfStreams() async throws {
        let (streams, lines) = (16, 5000)
        try await LoopbackServer.with { server in
            let asked = Count()
            server.on(.get, "/s") { _ in
                asked.add()
                return .text(String(repeating: "a line of a stream\n", count: lines), contentType: "text/plain")
            }
            let pipe = try ConsolePipe()
            let exchange = RequestExchange(
                request: RequestDescription(method: .get, url: server.url + "/s"), console: pipe.console)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<streams { group.addTask { try await exchange.runStream(.lines) } }
                // Each fills the pipe alone: whoever waited on a thread of the pool would leave none for the next.
                try await eventually { asked.value == streams }
                let received = try await FileQueue.run { [reader = pipe.reader] in
                    try Self.drained(reader, lines: streams * lines)
                }
                try await group.waitForAll()
                #expect(received.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count == 18 })
            }
        }
    }

    @Test("Bodies that nobody reads let others ask meanwhile, and bring all their bytes in the end")
    func fullPipeOfBodies() async throws {
        let (bodies, size) = (16, 100_000)
        try await LoopbackServer.with { server in
            let asked = Count()
            server.on(.get, "/b") { _ in
                asked.add()
                return .text(String(repeating: "b", count: size) + "\n", contentType: "text/plain")
            }
            let pipe = try ConsolePipe()
            let exchange = RequestExchange(
                request: RequestDescription(method: .get, url: server.url + "/b"), console: pipe.console)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<bodies { group.addTask { try await exchange.run() } }
                // As with streams.
                try await eventually { asked.value == bodies }
                let received = try await FileQueue.run { [reader = pipe.reader] in
                    try Self.drained(reader, lines: bodies)
                }
                try await group.waitForAll()
                #expect(received.count { $0 == UInt8(ascii: "b") } == bodies * size)
            }
        }
    }

    @Test("A bar on a terminal that stands still keeps nobody waiting, and draws the newest when it goes on")
    func fullPipeOfBars() async throws {
        let pipe = try ConsolePipe()
        // More than any pipe holds.
        let filler = Data(repeating: UInt8(ascii: "."), count: 1 << 21) + Data("\n".utf8)
        let bars = (0..<16).map { _ in ProgressBar(console: pipe.console, isShown: true) }
        let shown = Count()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await ConsoleQueue(pipe.console).write { console throws(OutputFailure) in
                    try console.error.write(filler)
                }
            }
            try await eventually { pipe.isFull }
            for bar in bars {
                group.addTask {
                    for step in 1...100 { bar.show(sent: Int64(step), total: Int64(step)) }
                    shown.add()
                    await bar.finish()
                }
            }
            // All have shown what they have, and wait for their last line alone.
            try await eventually { shown.value == bars.count }
            let received = try await FileQueue.run { [reader = pipe.reader] in
                try Self.drained(reader, lines: bars.count + 1)
            }
            try await group.waitForAll()
            let text = String(decoding: received, as: UTF8.self)
            // Of each what it drew first, and at most once more, with the newest.
            let lines = text.split(separator: "\r").dropFirst()
            #expect((bars.count...2 * bars.count).contains(lines.count))
            #expect(lines.count { $0.contains("100 bytes of 100 bytes") } == bars.count)
        }
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
