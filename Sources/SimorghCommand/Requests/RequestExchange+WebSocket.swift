// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport

extension RequestExchange {
    /// A router for a complete URL.
    private struct Target: WebSocketRouter {
        let path: String
        let protocols: [String]
        let pathIsPercentEncoded = true
    }

    /// An HTTP response that rejects the upgrade.
    private struct UpgradeRejectedError: Error {
        let status: Int
        let response: CollectedResponse?
    }

    /// Runs a WebSocket conversation until one side closes it, following redirects.
    ///
    /// - Parameter settings: The conversation settings.
    /// - Throws: ``CommandError``.
    package func runWebSocket(_ settings: WebSocketArguments.Settings) async throws {
        var exchange = self
        var redirects = 0
        while let request = try await exchange.runConversation(settings) {
            redirects += 1
            guard redirects <= 20 else {
                throw CommandError(.redirected, message: "the server redirects more than 20 times")
            }
            exchange = RequestExchange(request: request, console: console)
        }
    }

    /// Runs a conversation over one connection.
    ///
    /// - Returns: The request for a redirect; `nil` if there was a conversation.
    private func runConversation(_ settings: WebSocketArguments.Settings) async throws -> RequestDescription? {
        let printer = WebSocketPrinter(console: console, settings: settings, isVerbose: request.isVerbose)
        var next: RequestDescription?
        try await run { client in
            let client = client.with {
                $0.query = QueryItems(request.query)
                $0.headers["User-Agent"] = Self.userAgent
            }
            let connection: WebSocketConnection
            do {
                connection = try client.webSocketConnection(
                    Target(path: request.url, protocols: settings.subprotocols), options: Self.options(settings))
            } catch let error as WebSocketRouterError {
                throw CommandError(.usage, message: error.description)
            }
            do {
                try await exchangeMessages(over: connection, settings: settings, printer: printer)
            } catch let rejection as UpgradeRejectedError {
                next = try await redirect(after: rejection, from: connection.url)
            } catch {
                // Sends a close frame in case the server still listens.
                connection.close(code: .goingAway)
                await Task { _ = try? await connection.waitUntilClosed() }.value
                throw Task.isCancelled ? CancellationError() : error
            }
        }
        return next
    }

    /// Returns the request for a redirect, if it is followed; otherwise throws the failure for the response.
    private func redirect(after rejection: UpgradeRejectedError, from url: String) async throws -> RequestDescription {
        let status = ProgramStatus(status: rejection.status)
        let location = rejection.response?.headers[fields: .location].first?.urlText
        if status == .redirected, request.followsRedirects, let location {
            return try request.redirected(from: url, to: location)
        }
        if request.isVerbose, let response = rejection.response, !response.body.isEmpty {
            let body = Redactor(.standard).body(
                response.body, type: response.headers[.contentType], upTo: Self.maximumShownBytes)
            await notes.note(DisplayText.record(body.text))
        }
        var message = "the server answered the upgrade with \(StatusText.of(rejection.status))"
        if status == .redirected, let location {
            message += " and points to \(DisplayText.oneLine(Redaction.shown(url: location))); --location follows it"
        }
        throw CommandError(status == .success ? .brokenResponse : status, message: message)
    }

    /// The maximum number of bytes shown of the body of a rejecting response.
    private static let maximumShownBytes = 4096

    private static func options(_ settings: WebSocketArguments.Settings) -> WebSocketOptions {
        var options = WebSocketOptions(
            reconnectPolicy: WebSocketReconnectPolicy(
                maximumAttempts: settings.reconnects, initialDelay: 0.5, maximumDelay: 30, jitter: .full))
        // The process exits two seconds after a signal.
        options.closeTimeout = 1
        options.sendWhileReconnecting = .wait(upTo: .seconds(3_600))
        options.buffer = WebSocketBuffer(events: 1024, overflow: .suspend)
        if settings.isCompressed { options.compression = .deflate }
        return options
    }

    private func exchangeMessages(
        over connection: WebSocketConnection, settings: WebSocketArguments.Settings, printer: WebSocketPrinter
    ) async throws {
        let events = connection.events()
        connection.connect()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                do throws(WebSocketError) {
                    for try await event in TypedElements(events) {
                        do {
                            try await printer.show(event, of: connection)
                        } catch {
                            throw WebSocketError(.cancelled, message: "\(error)", underlying: error)
                        }
                    }
                } catch {
                    throw Self.failure(error)
                }
                return true
            }
            if !settings.onlyListens {
                group.addTask {
                    // Reads input only once connected: a rejecting server may redirect to the one that should get it.
                    guard (try? await connection.waitUntilConnected()) != nil else { return false }
                    let hasSent = try await Self.sendLines(
                        over: connection, isBinary: settings.isBinary, printer: printer)
                    if !settings.staysConnected {
                        try? await connection.waitUntilConnected()
                        let wait =
                            settings.quietTime ?? (hasSent ? WebSocketArguments.Settings.defaultQuietTime : .zero)
                        try await printer.waitForQuiet(of: wait)
                        connection.close()
                    }
                    return false
                }
            }
            if let interval = settings.pingInterval {
                group.addTask {
                    while true {
                        try await Task.sleep(for: interval)
                        guard let time = try? await connection.ping() else { continue }
                        try await printer.showPong(after: time)
                    }
                }
            }
            while let isOver = try await group.next() {
                if isOver { break }
            }
        }
        try printer.throwFailure()
    }

    /// Sends each line of standard input as a message.
    ///
    /// - Returns: True if there was at least one line.
    private static func sendLines(
        over connection: WebSocketConnection, isBinary: Bool, printer: WebSocketPrinter
    ) async throws -> Bool {
        var hasSent = false
        var parser = LineParser(limit: 16 * 1024 * 1024, blankLines: .kept, invalidUTF8: .replaced)
        do {
            for try await chunk in StandardInputChunks() {
                var position = 0
                while let line = try chunk.withUnsafeBytes({ try parser.next(in: $0, at: &position) }) {
                    hasSent = true
                    try await send(line, over: connection, isBinary: isBinary, printer: printer)
                }
            }
            if let line = try parser.finish() {
                hasSent = true
                try await send(line, over: connection, isBinary: isBinary, printer: printer)
            }
        } catch let error as WebSocketError {
            // The event task reports why the connection ended.
            if error.code == .notConnected || error.code == .closed || error.code == .cancelled { return hasSent }
            throw failure(error)
        } catch let error as StandardInputChunks.ReadError {
            throw CommandError(.failure, message: error.description)
        } catch let error as StreamingError {
            throw CommandError(.usage, message: "standard input: \(error)")
        }
        return hasSent
    }

    private static func send(
        _ line: String, over connection: WebSocketConnection, isBinary: Bool, printer: WebSocketPrinter
    ) async throws {
        let message: WebSocketMessage = isBinary ? .data(Data(line.utf8)) : .text(line)
        try await connection.send(message)
        await printer.showSent(message)
    }

    /// Returns the error of the command for the end of a conversation.
    private static func failure(_ error: WebSocketError) -> any Error {
        if let opening = error.openingError {
            if let status = opening.statusCode { return UpgradeRejectedError(status: status, response: error.response) }
            return CommandError(opening)
        }
        if error.isCancelled { return error.underlying ?? CancellationError() }
        return CommandError(error.code == .pongTimedOut ? .timeout : .brokenResponse, message: error.message)
    }
}
#endif
