// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Simorgh
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Shows what happens on a WebSocket: messages on standard output, all else on standard error; with `--json` all as lines
/// of JSON on standard output.
final class WebSocketPrinter: Sendable {
    /// A line of `--json`; what does not belong to its event is left out.
    private struct Line: Encodable {
        var event: String
        var text: String?
        var data: Data?
        var url: String?
        var subprotocol: String?
        var compressed: Bool?
        var attempt: Int?
        var delay: Double?
        var code: UInt16?
        var reason: String?
    }

    private let console: Console
    private let output: ConsoleQueue
    private let settings: WebSocketArguments.Settings
    private let isVerbose: Bool
    private struct State {
        var hasConnected = false
        /// With what the server closed the connection, where that is no success.
        var refusal: CommandFailure?
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
            let isCompressed = connection.compression != nil
            let name = connection.subprotocol
            if settings.isJSON {
                let url = Redaction.shown(url: connection.url)
                return try await say(Line(event: "connected", url: url, subprotocol: name, compressed: isCompressed))
            }
            let more = (name.map { ", subprotocol \($0)" } ?? "") + (isCompressed ? ", permessage-deflate" : "")
            await note("connected to \(Redaction.shown(url: connection.url))\(more)")
        case .message(let message): try await show(message)
        case .reconnecting(let attempt, let delay):
            let reason = connection.lastFailure?.message ?? "the connection was lost"
            if settings.isJSON {
                return try await say(Line(event: "reconnecting", attempt: attempt, delay: delay, reason: reason))
            }
            let wait = DisplayText.milliseconds(.seconds(delay))
            await output.note(
                "simorgh: \(DisplayText.oneLine(reason)); connecting again in \(wait) (attempt \(attempt))")
        case .disconnected(let code, let reason):
            let text = "\(code)\(reason.isEmpty ? "" : " \(DisplayText.oneLine(reason))")"
            if settings.isJSON {
                try await say(Line(event: "disconnected", code: code.rawValue, reason: reason))
            } else if state.withLock({ $0.hasConnected }) {
                await note("disconnected: \(text)")
            }
            if ![.normal, .goingAway, .noStatusReceived].contains(code) {
                state.withLock {
                    $0.refusal = CommandFailure(.brokenResponse, "the server closed the connection: \(text)")
                }
            }
        case .pong:
            if settings.isJSON { return try await say(Line(event: "pong")) }
            if settings.pingInterval == nil, isVerbose { await note("pong") }
        }
    }

    /// Throws what the end of the conversation stands for, where that is no success.
    func judge() throws {
        if let refusal = state.withLock({ $0.refusal }) { throw refusal }
    }

    /// Tells something besides the messages.
    func note(_ text: String) async {
        await output.note(console.errorPalette.styled("* ", .faint) + DisplayText.oneLine(text))
    }

    private func show(_ message: WebSocketMessage) async throws {
        switch message {
        case .text(let text):
            if settings.isJSON { return try await say(Line(event: "message", text: text)) }
            try await output.say(shown(text))
        case .data(let data):
            if settings.isJSON { return try await say(Line(event: "message", data: data)) }
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

    private func say(_ line: Line) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try await output.say(String(decoding: try encoder.encode(line), as: UTF8.self))
    }

    /// A text as it may be shown: raw in a pipe, without control characters on a terminal.
    private func shown(_ text: String) -> String {
        guard console.isOutputTerminal else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 || $0 == "\t" || $0 == "\n" }))
    }
}
