// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import Synchronization

/// Prints the events of a WebSocket: messages to standard output, everything else to standard error.
///
/// With `--json` all events are lines of JSON on standard output, and only the additions of `--verbose` go to standard
/// error.
final class WebSocketPrinter: Sendable {
    /// A line of `--json`; members that do not apply to the event are omitted.
    private struct Line: Encodable {
        var event: String
        var text: String?
        var data: Data?
        var bytes: Int?
        var url: String?
        var subprotocol: String?
        var compressed: Bool?
        var attempt: Int?
        var delay: Double?
        var seconds: Double?
        var code: UInt16?
        var reason: String?
    }

    private let console: Console
    private let output: ConsoleQueue
    private let settings: WebSocketArguments.Settings
    private let isVerbose: Bool
    private struct State {
        var hasConnected = false
        /// True after the connection was reported open, until its end is reported.
        var isReportedOpen = false
        /// The failure for the server's close code, if that is an error.
        var failure: CommandError?
        /// The number of messages that are being printed.
        var showing = 0
        /// The time at which the last message was printed.
        var lastMessage: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    init(console: Console, settings: WebSocketArguments.Settings, isVerbose: Bool) {
        self.console = console
        output = ConsoleQueue(console)
        self.settings = settings
        self.isVerbose = isVerbose
    }

    /// Prints an event, and returns when it has been written.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - connection: The connection of the event.
    /// - Throws: ``OutputError``.
    func show(_ event: WebSocketEvent, of connection: WebSocketConnection) async throws {
        switch event {
        case .connected:
            state.withLock { $0.hasConnected = true }
            try await showOpening(of: connection)
            state.withLock { $0.isReportedOpen = true }
        case .message(let message):
            state.withLock { $0.showing += 1 }
            defer {
                state.withLock { state in
                    state.showing -= 1
                    state.lastMessage = .now
                }
            }
            try await show(message)
        case .reconnecting(let attempt, let delay):
            state.withLock { $0.isReportedOpen = false }
            let reason = connection.lastFailure?.message ?? "the connection was lost"
            if settings.isJSON {
                return try await say(Line(event: "reconnecting", attempt: attempt, delay: delay, reason: reason))
            }
            let wait = Duration(clampingSeconds: delay).shown
            await output.note(
                "simorgh: \(DisplayText.oneLine(reason)); connecting again in \(wait) (attempt \(attempt))")
        case .disconnected(let closeCode, let closeReason):
            state.withLock { $0.isReportedOpen = false }
            let end = await ending(of: connection, code: closeCode, reason: closeReason)
            let text = "\(end.code)\(end.reason.isEmpty ? "" : " \(DisplayText.oneLine(end.reason))")"
            if settings.isJSON {
                try await say(Line(event: "disconnected", code: end.code.rawValue, reason: end.reason))
            } else if state.withLock({ $0.hasConnected }) {
                await note("disconnected: \(text)")
            }
            if end.isUnanswered {
                state.withLock { $0.failure = CommandError(.brokenResponse, message: end.reason) }
            } else if ![.normal, .goingAway, .noStatusReceived].contains(end.code) {
                state.withLock {
                    $0.failure = CommandError(.brokenResponse, message: "the server closed the connection: \(text)")
                }
            }
        case .pong:
            // With --ping each pong is reported with its round-trip time instead.
            guard settings.pingInterval == nil else { return }
            if settings.isJSON { return try await say(Line(event: "pong")) }
            if isVerbose { await note("pong") }
        }
    }

    /// Prints the round-trip time of a ping, if the connection is currently reported open.
    ///
    /// It has no fixed order among the messages: earlier ones may still wait to be printed.
    ///
    /// - Parameter time: The round-trip time.
    /// - Throws: ``OutputError``.
    func showPong(after time: Duration) async throws {
        let line =
            try settings.isJSON
            ? json(Line(event: "pong", seconds: time / .seconds(1)))
            : noted("pong after \(DisplayText.milliseconds(time))")
        try await output.write { [self] console throws(OutputError) in
            guard state.withLock({ $0.isReportedOpen }) else { return }
            if settings.isJSON { try console.say(line) } else { console.note(line) }
        }
    }

    /// Returns the end of a connection: the server's close code, unless the server did not answer the close frame.
    private func ending(
        of connection: WebSocketConnection, code: WebSocketCloseCode, reason: String
    ) async -> (code: WebSocketCloseCode, reason: String, isUnanswered: Bool) {
        // A lost connection has its code already, and a failed attempt has no close information.
        guard [.normal, .goingAway].contains(code), let closure = try? await connection.waitUntilClosed() else {
            return (code, reason, false)
        }
        guard closure.isClean else {
            let isSilent = closure.failure?.code == .closeTimedOut
            let reason = isSilent ? nil : closure.failure?.message
            return (.abnormalClosure, reason ?? "the server did not answer the close frame", true)
        }
        return (closure.code, closure.reason, false)
    }

    /// Waits until no message has arrived for a time, and none is being written to a slow output.
    ///
    /// - Parameter time: The time without a message.
    /// - Throws: `CancellationError`.
    func waitForQuiet(of time: Duration) async throws {
        let start = ContinuousClock.now
        while true {
            let rest = state.withLock { state in
                state.showing > 0 ? time : time - (.now - max(start, state.lastMessage ?? start))
            }
            guard rest > .zero else { return }
            try await Task.sleep(for: max(rest, .milliseconds(1)))
        }
    }

    /// Shows a sent message if `--verbose` is set.
    func showSent(_ message: WebSocketMessage) async {
        if isVerbose { await trace(message, mark: "> ") }
    }

    /// Throws if the conversation ended with an error.
    func throwFailure() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Writes a note to standard error.
    private func note(_ text: String) async {
        await output.note(noted(text))
    }

    private func noted(_ text: String) -> String {
        console.errorPalette.styled("* ", as: .faint) + DisplayText.oneLine(text)
    }

    private func showOpening(of connection: WebSocketConnection) async throws {
        let url = Redaction.shown(url: connection.url)
        let isCompressed = connection.compression != nil
        let name = connection.subprotocol.map(shownSubprotocol)
        if settings.isJSON {
            return try await say(Line(event: "connected", url: url, subprotocol: name, compressed: isCompressed))
        }
        let more = (name.map { ", subprotocol \($0)" } ?? "") + (isCompressed ? ", permessage-deflate" : "")
        await note("connected to \(url)\(more)")
    }

    /// Returns the name of a subprotocol, redacted if it is a token or follows `access_token`.
    private func shownSubprotocol(_ name: String) -> String {
        let shown = Redaction.shown(protocols: settings.subprotocols.joined(separator: ",")).cut(at: ",")
        return zip(settings.subprotocols, shown).first { $0.0 == name }.map { String($0.1) }
            ?? Redaction.shown(protocols: name)
    }

    /// Reports the direction, kind and uncompressed size of a message on standard error.
    private func trace(_ message: WebSocketMessage, mark: String) async {
        let kind = message.kind == .text ? "text" : "binary"
        await output.note(console.errorPalette.styled(mark, as: .faint) + "\(kind), \(message.byteCount) bytes")
    }

    private func show(_ message: WebSocketMessage) async throws {
        // The line of JSON already has this information.
        if isVerbose, !settings.isJSON { await trace(message, mark: "< ") }
        switch message {
        case .text(let text):
            if settings.isJSON {
                return try await say(Line(event: "message", text: text, bytes: message.byteCount))
            }
            try await output.say(shown(text))
        case .data(let data):
            if settings.isJSON { return try await say(Line(event: "message", data: data, bytes: data.count)) }
            guard !settings.isBinary || console.isOutputTerminal else {
                return try await output.write { console throws(OutputError) in try console.output.write(data) }
            }
            let start = data.prefix(32).map { byte in
                let digits = String(byte, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            await note("\(data.count) bytes: \(start.joined(separator: " "))\(data.count > 32 ? " …" : "")")
        }
    }

    private func say(_ line: Line) async throws { try await output.say(json(line)) }

    private func json(_ line: Line) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(line), as: UTF8.self)
        return console.isOutputTerminal ? DisplayText.json(text) : text
    }

    /// Returns a text for output: raw in a pipe, without control characters on a terminal.
    private func shown(_ text: String) -> String {
        console.isOutputTerminal ? DisplayText.record(text) : text
    }
}
#endif
