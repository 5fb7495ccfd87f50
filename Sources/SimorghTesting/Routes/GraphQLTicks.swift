// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghRealtime
import SimorghSupport
import Synchronization

/// A GraphQL server without a schema: every requested field exists.
///
/// The value of a field in a query is its name. A subscription counts, once per second without end, or as the arguments
/// `count` and `delay` (in seconds) say. The field `fail` results in an error.
enum GraphQLTicks {
    /// The first field of a document.
    struct Field: Sendable {
        var name: String
        var ticks: Ticks

        /// Parses the first field; `nil` if the document has none.
        init?(_ document: String, variables: JSON) {
            guard let brace = document.firstIndex(of: "{") else { return nil }
            var rest = document[document.index(after: brace)...].drop(while: \.isWhitespace)
            let name = rest.prefix { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
            guard !name.isEmpty else { return nil }
            self.name = String(name)
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            var items: [(name: String, value: String)] = []
            if rest.first == "(" {
                let arguments = rest.dropFirst().prefix { $0 != ")" }
                for argument in arguments.split(whereSeparator: { $0 == "," || $0.isNewline }) {
                    let halves = argument.split(separator: ":", maxSplits: 1)
                        .map { String($0.trimmingBlanks) }
                    guard halves.count == 2 else { continue }
                    let value = halves[1]
                    let number =
                        value.hasPrefix("$") ? variables[String(value.dropFirst())].double.map { "\($0)" } : value
                    if let number { items.append((halves[0], number)) }
                }
            }
            ticks = Ticks(items)
        }
    }

    /// The running operations of one connection, by the IDs that the client gave them.
    private final class Operations: Sendable {
        enum Start { case started, isTaken, isFull }

        private static let maximumCount = 100
        private let running = Mutex<[String: Task<Void, Never>]>([:])

        func start(_ id: String, work: @escaping @Sendable () async -> Void) -> Start {
            running.withLock { running in
                guard running[id] == nil else { return .isTaken }
                guard running.count < Self.maximumCount else { return .isFull }
                running[id] = Task {
                    await work()
                    // The ID of a stopped operation may already belong to another one.
                    if !Task.isCancelled { self.running.withLock { $0[id] = nil } }
                }
                return .started
            }
        }

        func stop(_ id: String) { running.withLock { $0.removeValue(forKey: id) }?.cancel() }

        func stopAll() {
            let tasks = running.withLock { running in
                defer { running = [:] }
                return Array(running.values)
            }
            for task in tasks { task.cancel() }
        }
    }

    // MARK: HTTP

    /// Responds to a query over HTTP, by POST or GET.
    static func answer(to request: RecordedRequest) -> StubResponse {
        let (document, variables): (String?, JSON)
        if request.method == .get || request.method == .head {
            document = request.query.first { $0.name == "query" }?.value
            let text = request.query.first { $0.name == "variables" }?.value ?? "{}"
            variables = (try? JSON(parsing: Data(text.utf8))) ?? .null
        } else {
            let body = (try? JSON(parsing: request.body)) ?? .null
            (document, variables) = (body.query.string, body.variables)
        }
        guard let document, let field = Field(document, variables: variables) else {
            return .json(#"{"errors":[{"message":"the request holds no document with a field"}]}"#, status: .badRequest)
        }
        if field.name == "fail" { return .json(#"{"data":null,"errors":[{"message":"it fails"}]}"#) }
        return .json(#"{"data":{"\#(field.name)":"\#(field.name)"}}"#)
    }

    // MARK: WebSocket

    /// The WebSocket server.
    ///
    /// It uses `graphql-transport-ws`, or the older `graphql-ws` if the client offers no other.
    static var webSocketResponse: StubResponse {
        let known = ["graphql-transport-ws", "graphql-ws"]
        return .webSocket(subprotocol: { offered in known.first { offered.contains($0) } }) { socket in
            let operations = Operations()
            defer { operations.stopAll() }
            var isAcknowledged = false
            while let text = try await socket.receiveText() {
                guard let message = try? JSON(parsing: Data(text.utf8)), let type = message.type.string else {
                    return await socket.close(code: 4400, reason: "not a message")
                }
                switch type {
                case "connection_init":
                    isAcknowledged = true
                    try await socket.send(#"{"type":"connection_ack"}"#)
                case "ping": try await socket.send(#"{"type":"pong"}"#)
                case "subscribe", "start":
                    guard isAcknowledged else { return await socket.close(code: 4401, reason: "Unauthorized") }
                    guard let id = message.id.string else {
                        return await socket.close(code: 4400, reason: "no id")
                    }
                    let payload = message.payload
                    switch operations.start(id, work: { await run(id, payload: payload, socket: socket) }) {
                    case .started: break
                    case .isTaken: return await socket.close(code: 4409, reason: "Subscriber already exists")
                    case .isFull: return await socket.close(code: 4429, reason: "Too many subscriptions")
                    }
                case "complete", "stop": operations.stop(message.id.string ?? "")
                default: continue
                }
            }
        }
    }

    /// Runs one operation: a subscription to its end, a query or a mutation to its result.
    private static func run(_ id: String, payload: JSON, socket: MockSocket) async {
        let id = EchoJSON.string(id).text
        let event = socket.subprotocol == "graphql-ws" ? "data" : "next"
        let document = payload.query.string ?? ""
        do {
            guard let field = Field(document, variables: payload.variables), field.name != "fail" else {
                return try await socket.send(#"{"id":\#(id),"type":"error","payload":[{"message":"it fails"}]}"#)
            }
            let isSubscription = document.drop(while: \.isWhitespace).hasPrefix("subscription")
            let ticks = field.ticks
            for number in 1...(isSubscription ? ticks.count : 1) {
                let value = isSubscription ? "\(number)" : "\"\(field.name)\""
                let payload = #"{"data":{"\#(field.name)":\#(value)}}"#
                try await socket.send(#"{"id":\#(id),"type":"\#(event)","payload":\#(payload)}"#)
                if isSubscription, number < ticks.count { try await Task.sleep(for: ticks.delay) }
            }
            try await socket.send(#"{"id":\#(id),"type":"complete"}"#)
        } catch {
            // The client has stopped the operation, or the connection has ended.
        }
    }
}
