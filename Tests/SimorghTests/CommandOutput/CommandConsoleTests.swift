// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Dispatch
import Foundation
import HTTPTypes
import Simorgh
import SimorghCommand
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

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

    /// A component that prints output for programs.
    enum Writer: CaseIterable {
        case downloads, network
    }

    /// A pipe that is closed when the object is released.
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

        /// True if the pipe accepts no more bytes at the moment.
        var isFull: Bool {
            var waiting = pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)
            return poll(&waiting, 1, 0) == 0
        }

        deinit { for end in [reader, writer] { close(end) } }
    }

    @Test(
        "A full pipe suspends only the tasks that write to it, and whole lines arrive in order",
        arguments: Writer.allCases)
    func fullPipe(writer: Writer) async throws {
        let pipe = try ConsolePipe()
        let lines = DownloadJSONPrinter(ConsoleQueue(pipe.console))
        let printer = NetworkPrinter(isJSON: true, console: pipe.console)
        // More than any pipe can buffer, from more tasks than the pool has threads.
        let (tellers, steps) = (64, 100)
        let begun = Count()
        let reading = try await Reading(pipe, lines: tellers * steps)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tellers {
                group.addTask {
                    begun.add()
                    let id = UUID()
                    for step in 0..<steps {
                        switch writer {
                        case .downloads:
                            let progress = DownloadProgress(
                                taskId: id, state: .downloading, downloadedBytes: Int64(step), totalBytes: nil)
                            await lines.report(progress, of: nil)
                        case .network:
                            var status = NetworkStatus(.connected(.wifi))
                            status.gateways = [id.uuidString, "\(step)"]
                            try await printer.printChange(status, at: Date())
                        }
                    }
                }
            }
            try await eventually { begun.value == tellers }
            reading.begin()
            try await group.waitForAll()
        }
        let received = try await reading.bytes
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

    @Test("Streams to a full pipe do not block other requests, and all their lines arrive")
    func fullPipeOfStreams() async throws {
        let (streams, lines) = (16, 5000)
        try await MockServer.with { server in
            let asked = Count()
            server.on(.get, path: "/s") { _ in
                asked.add()
                return .text(String(repeating: "a line of a stream\n", count: lines), contentType: "text/plain")
            }
            let pipe = try ConsolePipe()
            let exchange = RequestExchange(
                request: RequestDescription(method: .get, url: server.url + "/s"), console: pipe.console)
            let reading = try await Reading(pipe, lines: streams * lines)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<streams { group.addTask { try await exchange.runStream(.lines) } }
                // Each stream alone fills the pipe. If writers blocked threads of the pool, none would be left.
                try await eventually { asked.value == streams }
                reading.begin()
                try await group.waitForAll()
            }
            let received = try await reading.bytes
            #expect(received.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count == 18 })
        }
    }

    @Test("Bodies written to a full pipe do not block other requests, and all their bytes arrive")
    func fullPipeOfBodies() async throws {
        let (bodies, size) = (16, 100_000)
        try await MockServer.with { server in
            let asked = Count()
            server.on(.get, path: "/b") { _ in
                asked.add()
                return .text(String(repeating: "b", count: size) + "\n", contentType: "text/plain")
            }
            let pipe = try ConsolePipe()
            let exchange = RequestExchange(
                request: RequestDescription(method: .get, url: server.url + "/b"), console: pipe.console)
            let reading = try await Reading(pipe, lines: bodies)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<bodies { group.addTask { try await exchange.run() } }
                // As with streams.
                try await eventually { asked.value == bodies }
                reading.begin()
                try await group.waitForAll()
            }
            let received = try await reading.bytes
            #expect(received.count { $0 == UInt8(ascii: "b") } == bodies * size)
        }
    }

    @Test("File outputs that cannot be written suspend only the tasks that write them")
    func fullPipeOfFiles() async throws {
        let (files, size) = (16, 100_000)
        let pipe = try ConsolePipe()
        let begun = Count()
        let reading = try await Reading(pipe, lines: files)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<files {
                group.addTask {
                    let file = try FileOutput("/dev/fd/\(pipe.writer)")
                    begun.add()
                    try await file.write(Data(repeating: UInt8(ascii: "f"), count: size) + Data("\n".utf8))
                    try await file.commit()
                }
            }
            try await eventually { begun.value == files }
            reading.begin()
            try await group.waitForAll()
        }
        let received = try await reading.bytes
        #expect(received.count { $0 == UInt8(ascii: "f") } == files * size)
    }

    /// The report about an exchange on standard error.
    enum StandardErrorReport: CaseIterable { case heads, retries }

    @Test("A full standard error suspends only the tasks that write to it", arguments: StandardErrorReport.allCases)
    func fullPipeOfNotes(_ telling: StandardErrorReport) async throws {
        let (exchanges, retries) = (16, 2)
        try await MockServer.with { server in
            let (begun, asked) = (Count(), Count())
            server.on(.get, path: "/n") { _ in
                asked.add()
                return telling == .heads ? .text("b\n") : .status(.serviceUnavailable).header(.retryAfter, value: "0")
            }
            let pipe = try ConsolePipe()
            var request = RequestDescription(method: .get, url: server.url + "/n")
            if telling == .heads { request.isVerbose = true } else { request.retries = retries }
            let exchange = RequestExchange(request: request, console: pipe.console)
            // More than any pipe can buffer.
            let filler = Data(repeating: UInt8(ascii: "."), count: 1 << 21) + Data("\n".utf8)
            let reading = try await Reading(pipe, lines: nil)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    try await ConsoleQueue(pipe.console).write { console throws(OutputError) in
                        try console.error.write(filler)
                    }
                }
                try await eventually { pipe.isFull }
                for _ in 0..<exchanges {
                    group.addTask {
                        begun.add()
                        do {
                            try await exchange.run()
                        } catch is CommandError where telling == .retries {
                            // The last answer is also a failure.
                        }
                    }
                }
                // If writers blocked threads of the pool, no thread would remain for the others.
                try await eventually {
                    begun.value == exchanges && (telling == .heads || asked.value == exchanges * (1 + retries))
                }
                reading.begin()
                try await group.waitForAll()
            }
            try await ConsoleQueue(pipe.console).write { console throws(OutputError) in
                try console.error.write(Data(Self.end.utf8))
            }
            let text = String(decoding: try await reading.bytes, as: UTF8.self)
            #expect(text.contains(telling == .heads ? "> GET /n" : "trying again in"))
        }
    }

    @Test("Progress bars on a stalled terminal suspend no other task, and draw the newest state when it resumes")
    func fullPipeOfBars() async throws {
        let pipe = try ConsolePipe()
        // More than any pipe can buffer.
        let filler = Data(repeating: UInt8(ascii: "."), count: 1 << 21) + Data("\n".utf8)
        let bars = (0..<16).map { _ in ProgressBar(console: pipe.console, isShown: true) }
        let shown = Count()
        let reading = try await Reading(pipe, lines: bars.count + 1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await ConsoleQueue(pipe.console).write { console throws(OutputError) in
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
            // Each bar has reported all of its progress, and waits only to write its last line.
            try await eventually { shown.value == bars.count }
            reading.begin()
            try await group.waitForAll()
        }
        let text = String(decoding: try await reading.bytes, as: UTF8.self)
        // Each bar draws its first state, at most one newer state, and the final state.
        let pictures = text.components(separatedBy: "\r\u{1B}[J").dropFirst()
        #expect((2 * bars.count...3 * bars.count).contains(pictures.count))
        #expect(pictures.count { $0.contains("100 bytes of 100 bytes") } == 2 * bars.count)
    }

    /// The time to wait for an event that happens soon unless there is a fault, in seconds.
    private static let patience = 180

    /// Reads the given number of lines on a thread outside the pool, after `begin()`.
    ///
    /// It starts after a timeout even without `begin()`, and then fails: if the writers block every thread of the pool,
    /// no task is left to call `begin()` or to end the test at its time limit.
    private struct Reading {
        private let start: DispatchSemaphore
        private let task: Task<[UInt8], any Error>

        /// Creates a reading, and waits until it has its thread.
        ///
        /// - Parameters:
        ///   - pipe: The pipe to read.
        ///   - lines: The number of lines to expect; `nil` to read until the end marker.
        /// - Throws: `CancellationError` when the task is cancelled.
        init(_ pipe: ConsolePipe, lines: Int?) async throws {
            let (start, hasThread) = (DispatchSemaphore(value: 0), Gate())
            self.start = start
            task = Task {
                try await FileQueue.run {
                    try CommandConsoleTests.drained(pipe, lines: lines, after: start, hasThread)
                }
            }
            try await hasThread.wait()
        }

        /// The bytes read, once all of them have arrived.
        var bytes: [UInt8] { get async throws { try await task.value } }

        func begin() { start.signal() }
    }

    /// The writers blocked all other tasks.
    private struct Stuck: Error {}

    private static func drained(
        _ pipe: ConsolePipe, lines: Int?, after start: DispatchSemaphore, _ hasThread: Gate
    ) throws -> [UInt8] {
        hasThread.open()
        let outcome = start.wait(timeout: .now() + .seconds(patience))
        let bytes = try drained(pipe.reader, lines: lines)
        guard outcome == .success else { throw Stuck() }
        return bytes
    }

    /// The end marker for an unknown number of lines.
    private static let end = "\nno more comes\n"

    /// The output ended early, or stopped.
    private struct Ended: Error { let missing: Int? }

    /// Reads until the given number of lines or the end marker has arrived; throws if no bytes arrive for a while.
    private static func drained(_ descriptor: CInt, lines: Int?) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var missing = lines
        let size = 64 * 1024
        var buffer = [UInt8](repeating: 0, count: size)
        while missing.map({ $0 > 0 }) ?? !bytes.suffix(end.utf8.count).elementsEqual(end.utf8) {
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, CInt(patience) * 1000) > 0 else { throw Ended(missing: missing) }
            let count = read(descriptor, &buffer, size)
            guard count > 0 else { throw Ended(missing: missing) }
            missing = missing.map { $0 - buffer.prefix(count).count { $0 == UInt8(ascii: "\n") } }
            bytes += buffer.prefix(count)
        }
        return bytes
    }
}
#endif
