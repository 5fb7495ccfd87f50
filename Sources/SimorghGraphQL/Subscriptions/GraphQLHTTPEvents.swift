// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
package import SimorghCore
import SimorghRealtime
import SimorghSupport

/// The events of a subscription over HTTP: server-sent events, or the parts of a multipart response.
package struct GraphQLHTTPEvents<Event: Sendable>: Sendable {
    fileprivate let source: GraphQLStreamSource
    fileprivate let read: @Sendable (Data, JSONDecoder) throws -> Event

    package init(source: GraphQLStreamSource, read: @escaping @Sendable (Data, JSONDecoder) throws -> Event) {
        self.source = source
        self.read = read
    }

    package func makeAsyncIterator() -> Iterator { Iterator(events: self) }

    package struct Iterator {
        private enum Phase {
            case ready
            case events(ServerSentEvents.Iterator)
            case parts(GraphQLPayloads)
            case over
        }

        private let events: GraphQLHTTPEvents
        private var phase = Phase.ready
        private var head: CollectedResponse?

        fileprivate init(events: GraphQLHTTPEvents) { self.events = events }

        /// Returns the next event; `nil` if the server completed the subscription, or the client is drained.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Event? {
            do throws(NetworkError) {
                return try await read(isolation: actor)
            } catch {
                // A drain cancels the connection, and not the task.
                guard error.isCancelled, !Task.isCancelled, events.source.isDraining else { throw error }
                return nil
            }
        }

        private mutating func read(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Event? {
            if case .ready = phase { try await open() }
            guard let head else { return nil }
            while true {
                let current = phase
                phase = .over  // The state if the next lines throw.
                do {
                    switch current {
                    case .ready, .over: return nil
                    case .events(var events):
                        guard let event = try await events.next(isolation: actor) else {
                            throw GraphQLProtocolError(.truncated, "the stream ended without the event “complete”")
                        }
                        switch event.event {
                        case "next":
                            phase = .events(events)
                            return try decoded(Data(event.data.utf8), head)
                        case "complete": return nil
                        // The name of an event without one: some servers send responses in such events.
                        case "message" where Self.isResponse(event.data):
                            phase = .events(events)
                            return try decoded(Data(event.data.utf8), head)
                        default: phase = .events(events)
                        }
                    case .parts(var parts):
                        guard let part = try await parts.next(isolation: actor) else { return nil }
                        if parts.isMultipart { phase = .parts(parts) }
                        guard let payload = try Self.payload(in: part, isMultipart: parts.isMultipart) else { continue }
                        return try decoded(payload, head)
                    }
                } catch {
                    phase = .over
                    throw NetworkError(graphQL: error, head)
                }
            }
        }

        private mutating func open() async throws(NetworkError) {
            phase = .over
            switch try await events.source.open() {
            case .stream(let response):
                head = response.head
                let limit = events.source.options.maximumPartBytes
                let type = response.headers[values: .contentType].last.map(MediaTypePattern.essence)
                if type == "text/event-stream" {
                    // Many servers complete a subscription with an event that has a name and no data.
                    let found = ServerSentEvents(response.chunks, limit: limit, dispatchesWithoutData: true)
                    phase = .events(found.makeAsyncIterator())
                } else {
                    phase = .parts(try GraphQLPayloads(response, limit: limit, total: nil))
                }
            case .response(let payload, let response):
                throw NetworkError(GraphQLErrors(payload), response)
            }
        }

        private func decoded(_ payload: Data, _ head: CollectedResponse) throws -> Event {
            do {
                return try events.read(payload, events.source.decoder)
            } catch {
                if error is GraphQLErrors || error is GraphQLProtocolError { throw error }
                throw NetworkError.decodingError(events.source.failure(error, of: payload, head, type: Event.self))
            }
        }

        /// Returns the response in a part; `nil` for a part that only keeps the connection alive.
        ///
        /// - Throws: `GraphQLErrors` if the server ended the subscription.
        private static func payload(in part: Data, isMultipart: Bool) throws -> Data? {
            guard isMultipart else { return part }
            let json = try JSON(parsing: part)
            guard let members = json.object else {
                throw GraphQLProtocolError(.notAResponse, "a part of the subscription is not an object")
            }
            guard members["payload"] != nil else {
                if members["data"] != nil { return part }
                guard json["errors"].isNull else { throw GraphQLErrors(json) }
                return nil
            }
            // Beside the payload, errors are those of the transport, which ended the subscription.
            if !json["errors"].isNull, json["errors"] != [] || json["payload"].isNull { throw GraphQLErrors(json) }
            guard !json["payload"].isNull else { return nil }
            // The bytes of the server, in which numbers have all their digits.
            let bytes = Array(part)
            var cursor = JSONCursor(bytes)
            guard cursor?.descend(to: "payload") == .found, let range = cursor?.range() else {
                return try json["payload"].data()
            }
            return Data(bytes[range])
        }

        /// Returns true for the JSON of an object with data or errors.
        private static func isResponse(_ text: String) -> Bool {
            guard let json = try? JSON(parsing: Data(text.utf8)) else { return false }
            return !json["data"].isNull || !json["errors"].isNull
        }
    }
}

extension GraphQLErrors {
    /// Creates the errors of a response.
    fileprivate init(_ response: JSON) {
        let list = (try? response.data()).flatMap { try? Coders.decoder.decode(GraphQLErrorList.self, from: $0) }
        let faults = list?.errors ?? []
        self.init(
            faults.isEmpty ? [Fault(message: "the server ended the subscription", extensions: response)] : faults)
    }
}
