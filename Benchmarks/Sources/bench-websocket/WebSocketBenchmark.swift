// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import SimorghCore
import SimorghNIO
import SimorghRealtime

/// Measures the rate of messages to an echo server over one WebSocket, and the memory of idle connections.
///
///     bench-websocket echo URL SIZE IN-FLIGHT MESSAGES [--text|--cyrillic|--chinese] [--loop] [--deflate] [--connection]
///     bench-websocket idle URL CONNECTIONS [--connection]
///     bench-websocket crowd URL CONNECTIONS MESSAGES [--connection]
///
/// `--loop` keeps the task on the connection's event loop (`withEventLoop`), `--connection` uses a
/// `WebSocketConnection` instead of the link below it. echo prints messages per second; idle prints the memory of a
/// connection in bytes; crowd sends on all connections at once.
@main
struct WebSocketBenchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.filter { !$0.hasPrefix("--") }
        let flags = Set(CommandLine.arguments.filter { $0.hasPrefix("--") })
        guard arguments.count >= 4 else {
            print("usage: bench-websocket echo URL SIZE IN-FLIGHT MESSAGES | idle URL CONNECTIONS")
            exit(2)
        }
        switch arguments[1] {
        case "idle" where flags.contains("--connection"):
            try await Connections.idle(arguments[2], count: Int(arguments[3]) ?? 0)
        case "crowd" where flags.contains("--connection"):
            try await Connections.crowd(arguments[2], count: Int(arguments[3]) ?? 0, messages: Int(arguments[4]) ?? 0)
        case "idle": try await idle(arguments[2], count: Int(arguments[3]) ?? 0)
        case "crowd": try await crowd(arguments[2], count: Int(arguments[3]) ?? 0, messages: Int(arguments[4]) ?? 0)
        default:
            let run = Run(
                url: arguments[2], size: Int(arguments[3]) ?? 32, inFlight: Int(arguments[4]) ?? 1,
                count: Int(arguments[5]) ?? 1000, flags: flags)
            if flags.contains("--loop") {
                try await NIOTransport.shared.withEventLoop { try await run.echo() }
            } else {
                try await run.echo()
            }
        }
    }

    struct Run: Sendable {
        let url: String
        let size: Int
        let inFlight: Int
        let count: Int
        let flags: Set<String>

        /// A message of `size` bytes, binary or text; the programs of the other clients use the same phrases.
        private var message: WebSocketMessage {
            if flags.contains("--cyrillic") { return .text(text("Съешь же ещё этих мягких булок, ")) }
            if flags.contains("--chinese") { return .text(text("天地玄黃宇宙洪荒日月盈昃，")) }
            return flags.contains("--text") ? .text(text("x")) : .data(Data(repeating: 0x78, count: size))
        }

        private func text(_ phrase: String) -> String {
            let count = phrase.utf8.count
            return String(repeating: phrase, count: size / count) + String(repeating: "x", count: size % count)
        }

        /// Runs on the task's preferred executor or the default one, not on the main actor of `main`, whose thread is
        /// woken through the main queue.
        @concurrent
        func echo() async throws {
            guard !flags.contains("--connection") else { return try await echoOverConnection() }
            let link = try await WebSocketBenchmark.open(url, compressed: flags.contains("--deflate"))
            let message = message
            try await WebSocketBenchmark.exchange(
                link, message: message, inFlight: inFlight, count: max(inFlight, count / 10))
            let clock = ContinuousClock()
            let time = try await clock.measure {
                try await WebSocketBenchmark.exchange(link, message: message, inFlight: inFlight, count: count)
            }
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            print(Int(Double(count) / seconds))
            await link.close()
        }

        /// Uses a reconnecting connection and its events, as applications do.
        private func echoOverConnection() async throws {
            var options = WebSocketOptions()
            options.sendBufferSize = 8 * 1024 * 1024
            if flags.contains("--deflate") { options.compression = .deflate }
            let message = message
            let client = APIClient(transport: NIOTransport.shared)
            let connection = try client.webSocketConnection(Endpoint(baseURLString: url), options: options)
            var events = connection.events().makeAsyncIterator()
            connection.connect()
            try await connection.waitUntilConnected()
            var start = ContinuousClock.now
            let warmUp = max(inFlight, count / 10)
            for (round, total) in [warmUp, count].enumerated() {
                if round == 1 { start = ContinuousClock.now }
                var sent = 0
                while sent < min(inFlight, total) {
                    try await connection.send(message)
                    sent += 1
                }
                var received = 0
                while received < total, let event = try await events.next() {
                    guard case .message(let reply) = event else { continue }
                    guard reply.byteCount == message.byteCount else { exit(1) }
                    received += 1
                    guard sent < total else { continue }
                    try await connection.send(message)
                    sent += 1
                }
            }
            print(Int(Double(count) / ((ContinuousClock.now - start) / .seconds(1))))
            connection.close()
            try await connection.waitUntilClosed()
        }
    }

    struct Endpoint: WebSocketRouter {
        let baseURLString: String
    }

    static func open(_ url: String, compressed: Bool = false) async throws -> any WebSocketChannel {
        let parts = url.split(separator: "/", omittingEmptySubsequences: true)
        let request = TransportRequest(
            head: HTTPRequest(method: .get, scheme: "ws", authority: String(parts[1]), path: "/"))
        var options = WebSocketChannelOptions()
        options.receiveBufferSize = 8 * 1024 * 1024
        options.sendBufferSize = 8 * 1024 * 1024
        options.compression = compressed ? .deflate : nil
        guard case .opened(let link) = try await NIOTransport.shared.open(request, options: options) else { exit(1) }
        return link
    }

    /// Keeps `inFlight` messages in flight: sends another for each echo.
    static func exchange(
        _ link: any WebSocketChannel, message: WebSocketMessage, inFlight: Int, count: Int
    ) async throws {
        var sent = 0
        while sent < min(inFlight, count) {
            try await link.send(message)
            sent += 1
        }
        var received = 0
        while received < count {
            guard let reply = try await link.receive(), reply.byteCount == message.byteCount else { exit(1) }
            received += 1
            guard sent < count else { continue }
            try await link.send(message)
            sent += 1
        }
    }

    static var residentBytes: Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return (Int(text.split(separator: " ").dropFirst().first ?? "0") ?? 0) * 4096
    }

    private static func connect(_ url: String, count: Int) async throws -> [any WebSocketChannel] {
        var links: [any WebSocketChannel] = []
        while links.count < count {
            let wave = min(100, count - links.count)
            try await withThrowingTaskGroup(of: (any WebSocketChannel).self) { group in
                for _ in 0..<wave { group.addTask { try await open(url) } }
                for try await link in group { links.append(link) }
            }
        }
        return links
    }

    private static func idle(_ url: String, count: Int) async throws {
        // The first ones allocate what all share.
        let first = try await connect(url, count: 200)
        let before = residentBytes
        let links = try await connect(url, count: count - first.count)
        let after = residentBytes
        print("\(first.count + links.count) open, \((after - before) / max(links.count, 1)) bytes each")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for link in links.prefix(1000) { group.addTask { _ = try await link.ping() } }
            try await group.waitForAll()
        }
        print("1000 pinged, \((residentBytes - before) / max(links.count, 1)) bytes each")
        for link in first + links { link.drop() }
    }

    private static func crowd(_ url: String, count: Int, messages: Int) async throws {
        let links = try await connect(url, count: count)
        let message = WebSocketMessage.data(Data(repeating: 0x78, count: 32))
        let time = try await ContinuousClock().measure {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for link in links {
                    group.addTask { try await exchange(link, message: message, inFlight: 1, count: messages) }
                }
                try await group.waitForAll()
            }
        }
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        print("\(Int(Double(count * messages) / seconds)) messages a second over \(count) connections")
        for link in links { link.drop() }
    }
}
