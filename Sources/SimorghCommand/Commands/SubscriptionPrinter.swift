// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import Synchronization

/// Subscribes, and prints the events.
struct SubscriptionPrinter: Sendable {
    let url: String
    let operations: [String]
    let variables: JSON?
    let payload: JSON?
    let event: String?
    let apiKey: String?
    let bearer: String?
    let unsubscribe: JSON?
    let count: Int?
    let isJSON: Bool
    let console: Console
    let output: ConsoleQueue

    /// The options of the subscriptions.
    static var options: SubscriptionOptions {
        var options = SubscriptionOptions()
        // A slow reader of the output applies back-pressure to the connection instead of losing events.
        options.overflow = .suspend
        // The process exits two seconds after a signal; a server that does not respond uses at most half of that time.
        options.unsubscribeTimeout = .milliseconds(400)
        options.webSocket.closeTimeout = 0.4
        return options
    }

    func start(_ language: SubscriptionProtocolName, with client: APIClient) async throws {
        switch language {
        case .graphQLTransport:
            var wire = GraphQLTransportProtocol(url: url)
            wire.initPayload = { [payload] in payload }
            try await listen(over: wire, client: client) { GraphQLOperation($0, variables: variables) }
        case .legacyGraphQL:
            var wire = LegacyGraphQLProtocol(url: url)
            wire.initPayload = { [payload] in payload }
            try await listen(over: wire, client: client) { GraphQLOperation($0, variables: variables) }
        case .appSync:
            let wire = AppSyncProtocol(url, authorization: try authorization())
            try await listen(over: wire, client: client) { GraphQLOperation($0, variables: variables) }
        case .appSyncEvents:
            let wire = AppSyncEventsProtocol(url, authorization: try authorization())
            try await listen(over: wire, client: client) { .channel($0) }
        case .binance:
            try await listen(over: BinanceProtocol(url: url), client: client) { BinanceProtocol.Streams([$0]) }
        case .phoenix:
            try await listen(over: PhoenixProtocol(url: url), client: client) { topic in
                .topic(topic, event: event, payload: payload ?? [:])
            }
        case .absinthe:
            try await listen(over: AbsintheProtocol(url: url), client: client) {
                GraphQLOperation($0, variables: variables)
            }
        case .pusher:
            let (host, key) = try application()
            try await listen(over: PusherProtocol(key: key, host: host), client: client) {
                .channel($0, event: event)
            }
        case .json:
            let messages = try operations.map { text in
                guard let message = try SubscribeCommand.json(text, of: "json") else {
                    throw CommandError.usage("--protocol json takes messages in JSON")
                }
                return message
            }
            try await listen(to: messages, client: client)
        }
    }

    /// Subscribes with the typed messages, each over its own connection.
    private func listen(to messages: [JSON], client: APIClient) async throws {
        let connections: [SubscriptionConnection<RawMessageRouter>]
        do {
            connections = try messages.map { message in
                try client.subscription(
                    RawMessageRouter(baseURLString: url, subscribeMessage: message, unsubscribeMessage: unsubscribe),
                    options: Self.options)
            }
        } catch {
            throw CommandError(.usage, message: "\(error)")
        }
        let streams = zip(operations, connections).map { (name: $0, updates: $1.events().updates) }
        try await print(streams) {
            await withTaskGroup(of: Void.self) { group in
                for connection in connections { group.addTask { await connection.disconnect() } }
            }
        }
    }

    /// Subscribes to all operations over one connection.
    private func listen<Wire: SubscriptionProtocol>(
        over wire: Wire, client: APIClient, operation: (String) -> Wire.Operation
    ) async throws {
        let socket = client.subscriptions(over: wire, options: Self.options)
        let streams = operations.map { text in
            (name: text, updates: socket.events(operation(text), read: EventText.init).updates)
        }
        try await print(streams) { await socket.disconnect() }
    }

    /// Prints the events, then unsubscribes and disconnects, also if the command is cancelled.
    private func print(
        _ streams: [(name: String, updates: SubscriptionUpdates<EventText>)], end: @escaping @Sendable () async -> Void
    ) async throws {
        do {
            try await print(streams)
        } catch {
            await Task { await end() }.value
            throw error
        }
        await end()
    }

    /// Prints the events until all subscriptions have ended, or the limit is reached.
    private func print(_ streams: [(name: String, updates: SubscriptionUpdates<EventText>)]) async throws {
        let counter = EventCounter(limit: count)
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (name, updates) in streams {
                    group.addTask {
                        for try await update in updates {
                            if try await show(update, of: name, counter: counter) { return }
                        }
                    }
                }
                while try await group.next() != nil {
                    if counter.hasReachedLimit { group.cancelAll() }
                }
            }
        } catch let error as SubscriptionError {
            if counter.hasReachedLimit, error.code == .cancelled { return }
            throw CommandError(error)
        }
    }

    /// Prints one update; returns true if it was the last one.
    private func show(
        _ update: SubscriptionUpdate<EventText>, of name: String, counter: EventCounter
    ) async throws -> Bool {
        switch update {
        case .event(let event):
            guard counter.take() else { return true }
            try await output.say(line(event, of: name))
            return counter.hasReachedLimit
        case .subscribed: try await report("subscribed", of: name, text: "subscribed to \(name)")
        case .resumed: try await report("resumed", of: name, text: "subscribed to \(name) again")
        case .interrupted(let error, let wait):
            let text = "\(error.message); connecting again in \(wait.shown)"
            let seconds = JSON.number(JSON.Number(wait / .seconds(1)))
            try await report(
                "interrupted", of: name, text: text,
                details: [
                    "error": .string(error.code.description), "reason": .string(error.message), "retryAfter": seconds,
                ])
        case .missed(let number):
            try await report(
                "missed", of: name, text: "\(number) events of \(name) were missed",
                details: ["count": .number(JSON.Number(Int64(number)))])
        }
        return false
    }

    /// Returns an event unchanged, or in an object with the name of its subscription.
    private func line(_ event: EventText, of name: String) -> String {
        let line =
            isJSON ? #"{"event":\#(event.text),"subscription":\#(JSON.string(name).description)}"# : event.text
        return console.isOutputTerminal ? DisplayText.record(line) : line
    }

    private func report(
        _ change: String, of name: String, text: String, details: [String: JSON] = [:]
    ) async throws {
        if isJSON {
            let members: [String: JSON] = ["subscription": .string(name), "change": .string(change)]
            let line = JSON.object(members.merging(details) { first, _ in first }).description
            try await output.say(console.isOutputTerminal ? DisplayText.json(line) : line)
        } else if change != "subscribed" {
            await output.note("simorgh: \(DisplayText.oneLine(text))")
        }
    }

    private func authorization() throws(CommandError) -> AppSyncAuthorization {
        if let apiKey { return .apiKey(apiKey) }
        if let bearer { return .token { bearer } }
        throw .usage("AppSync requires --api-key or --bearer; it does not use --oauth")
    }

    /// Returns the host and the key of `wss://host/app/KEY`.
    private func application() throws(CommandError) -> (host: String, key: String) {
        let parts = url.split(separator: "/app/", maxSplits: 1)
        guard parts.count == 2 else { throw .usage("a Pusher URL has the form wss://HOST/app/KEY") }
        return (String(parts[0]), String(parts[1]))
    }
}

/// An event as the server sent it, on one line.
private struct EventText: Sendable {
    /// An error for an event that is not JSON.
    struct NotJSONError: Error, CustomStringConvertible {
        let description = "the event is not valid JSON"
    }

    let text: String

    init(_ payload: SubscriptionPayload) throws {
        guard let text = JSONSlice.text(in: payload.message.bytes, at: payload.path.components) else {
            throw NotJSONError()
        }
        self.text = text
    }
}

/// A subscription with the typed messages.
private struct RawMessageRouter: SubscriptionRouter {
    typealias Event = EventText

    let baseURLString: String
    let subscribeMessage: JSON
    let unsubscribeMessage: JSON?

    func decodeEvent(from message: WebSocketMessage, using decoder: JSONDecoder) throws -> EventText? {
        try EventText(SubscriptionPayload(message))
    }
}

extension CommandError {
    /// Creates the failure for an error of a subscription.
    init(_ error: SubscriptionError) {
        switch error.underlying {
        case let error as NetworkError: self.init(error)
        case _ where error.code == .cancelled: self.init(.interrupted)
        case _ where error.code == .timedOut: self.init(.timeout, message: error.message)
        case _ where error.code == .invalidRequest: self.init(.usage, message: error.message)
        default: self.init(.brokenResponse, message: error.message)
        }
    }
}

/// A counter of printed events with a limit.
private final class EventCounter: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(limit: Int?) { self.limit = limit ?? .max }

    /// True if the limit was reached.
    var hasReachedLimit: Bool { taken.withLock { $0 >= limit } }

    /// Counts one event; returns false if the limit was already reached.
    func take() -> Bool {
        taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
    }
}
#endif
