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

        /// Returns the next event; `nil` if the server completed the subscription.
        package mutating func next(isolation actor: isolated (any Actor)?) async throws(NetworkError) -> Event? {
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
                    phase = .events(ServerSentEvents(response.chunks, limit: limit).makeAsyncIterator())
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
            } catch let errors as GraphQLErrors {
                throw errors
            } catch {
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
            if let payload = members["payload"], !payload.isNull { return try payload.data() }
            if members["payload"] == nil, members["data"] != nil { return part }
            guard !json["errors"].isNull else { return nil }
            throw GraphQLErrors(json)
        }
    }
}

extension GraphQLErrors {
    /// Creates the errors of a response.
    fileprivate init(_ response: JSON) {
        let list = (try? response.data()).flatMap { try? Coders.decoder.decode(GraphQLErrorList.self, from: $0) }
        self.init(list?.errors ?? [Fault(message: "the server ended the subscription", extensions: response)])
    }
}
