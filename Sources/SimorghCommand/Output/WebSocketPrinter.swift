// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import Synchronization

/// Shows what happens on a WebSocket: messages on standard output, all else on standard error; with `--json` all that
/// happens as lines of JSON on standard output, and only what `--verbose` adds on standard error.
final class WebSocketPrinter: Sendable {
    /// A line of `--json`; what does not belong to its event is left out.
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
        /// Whether it was told that the connection stands, and nothing of its end.
        var isStanding = false
        /// With what the server closed the connection, where that is no success.
        var refusal: CommandFailure?
        /// The number of messages that are being shown.
        var showing = 0
        /// The time at which the last message was shown.
        var lastMessage: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    init(console: Console, settings: WebSocketArguments.Settings, isVerbose: Bool) {
        self.console = console
        output = ConsoleQueue(console)
        self.settings = settings
        self.isVerbose = isVerbose
    }

    /// Shows an event, and returns when that is written.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - connection: Whose it is.
    /// - Throws: ``OutputFailure``.
    func show(_ event: WebSocketEvent, of connection: WebSocketConnection) async throws {
        switch event {
        case .connected:
            state.withLock { $0.hasConnected = true }
            try await showOpening(of: connection)
            state.withLock { $0.isStanding = true }
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
            state.withLock { $0.isStanding = false }
            let reason = connection.lastFailure?.message ?? "the connection was lost"
            if settings.isJSON {
                return try await say(Line(event: "reconnecting", attempt: attempt, delay: delay, reason: reason))
            }
            let wait = Duration(clampingSeconds: delay).shown
            await output.note(
                "simorgh: \(DisplayText.oneLine(reason)); connecting again in \(wait) (attempt \(attempt))")
        case .disconnected(let asked, let said):
            state.withLock { $0.isStanding = false }
            let (code, reason, isUnanswered) = await ending(of: connection, asked, said)
            let text = "\(code)\(reason.isEmpty ? "" : " \(DisplayText.oneLine(reason))")"
            if settings.isJSON {
                try await say(Line(event: "disconnected", code: code.rawValue, reason: reason))
            } else if state.withLock({ $0.hasConnected }) {
                await note("disconnected: \(text)")
            }
            if isUnanswered {
                state.withLock { $0.refusal = CommandFailure(.brokenResponse, reason) }
            } else if ![.normal, .goingAway, .noStatusReceived].contains(code) {
                state.withLock {
                    $0.refusal = CommandFailure(.brokenResponse, "the server closed the connection: \(text)")
                }
            }
        case .pong:
            // Who asks for pings is told of each by its time.
            guard settings.pingInterval == nil else { return }
            if settings.isJSON { return try await say(Line(event: "pong")) }
            if isVerbose { await note("pong") }
        }
    }

    /// Shows how long the answer to a ping took, where the connection was shown to stand and nothing of its end yet.
    ///
    /// It has no place among the messages: some that came before it may wait to be shown.
    ///
    /// - Parameter time: How long.
    /// - Throws: ``OutputFailure``.
    func showPong(after time: Duration) async throws {
        let line =
            try settings.isJSON
            ? json(Line(event: "pong", seconds: time / .seconds(1)))
            : noted("pong after \(DisplayText.milliseconds(time))")
        try await output.write { [self] console throws(OutputFailure) in
            guard state.withLock({ $0.isStanding }) else { return }
            if settings.isJSON { try console.say(line) } else { console.note(line) }
        }
    }

    /// Tells how a connection ended: with the server's code, and not with one that the server never answered.
    private func ending(
        of connection: WebSocketConnection, _ code: WebSocketCloseCode, _ reason: String
    ) async -> (code: WebSocketCloseCode, reason: String, isUnanswered: Bool) {
        // A loss has its code already, and an attempt that gave no connection has no closure.
        guard [.normal, .goingAway].contains(code), let closure = try? await connection.waitUntilClosed() else {
            return (code, reason, false)
        }
        guard closure.isClean else {
            let isSilent = closure.failure?.code == .closeTimedOut
            let reason = isSilent ? nil : closure.failure?.message
            return (.abnormalClosure, reason ?? "the server did not answer the closing", true)
        }
        return (closure.code, closure.reason, false)
    }

    /// Waits until no message has come for a time, nor is being written to an output that is slow.
    ///
    /// - Parameter time: How long.
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

    /// Shows with `--verbose` what was sent.
    func showSent(_ message: WebSocketMessage) async {
        if isVerbose { await trace("> ", message) }
    }

    /// Throws what the end of the conversation stands for, where that is no success.
    func judge() throws {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    }

    /// Tells something besides the messages.
    private func note(_ text: String) async {
        await output.note(noted(text))
    }

    private func noted(_ text: String) -> String {
        console.errorPalette.styled("* ", .faint) + DisplayText.oneLine(text)
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

    /// Returns the name of a subprotocol without a token: one that says so itself, or that follows `access_token`.
    private func shownSubprotocol(_ name: String) -> String {
        let shown = Redaction.shown(protocols: settings.subprotocols.joined(separator: ",")).cut(at: ",")
        return zip(settings.subprotocols, shown).first { $0.0 == name }.map { String($0.1) }
            ?? Redaction.shown(protocols: name)
    }

    /// Tells on standard error which way a message went, its kind and its size before compression.
    private func trace(_ mark: String, _ message: WebSocketMessage) async {
        let kind = message.kind == .text ? "text" : "binary"
        await output.note(console.errorPalette.styled(mark, .faint) + "\(kind), \(message.byteCount) bytes")
    }

    private func show(_ message: WebSocketMessage) async throws {
        // A line of JSON says it itself.
        if isVerbose, !settings.isJSON { await trace("< ", message) }
        switch message {
        case .text(let text):
            if settings.isJSON {
                return try await say(Line(event: "message", text: text, bytes: message.byteCount))
            }
            try await output.say(shown(text))
        case .data(let data):
            if settings.isJSON { return try await say(Line(event: "message", data: data, bytes: data.count)) }
            guard !settings.isBinary || console.isOutputTerminal else {
                return try await output.write { console throws(OutputFailure) in try console.output.write(data) }
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

    /// A text as it may be shown: raw in a pipe, without control characters on a terminal.
    private func shown(_ text: String) -> String {
        console.isOutputTerminal ? DisplayText.record(text) : text
    }
}
#endif
