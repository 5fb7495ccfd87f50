// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// Server-sent events that go on: a stream that ends or breaks off is connected to again, and asked to go on after the last
/// event that was handed over (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in client.call(.get, "feed").eventSource() { print(event.event, event.data) }
/// ```
/// It is cold: each iteration connects on its own, and leaving the loop or cancelling the task closes the connection at
/// once. Credentials are refreshed on 401 as for any call. Only 200 is a stream, and 204 ends it; a fault that may pass
/// (a lost connection, 503, an open circuit) is waited out, and any other, or another media type, ends it in that error.
/// An event reaches you once: what a broken connection cuts short is sent again by a server that knows its ids.
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the stream for good: a ``NetworkError``.
    public typealias Failure = any Error

    fileprivate let options: EventSourceOptions
    fileprivate let time: TimeSource
    fileprivate let random: RandomSource
    /// Who knows whether a way to the network has come back.
    fileprivate let paths: PathWatch?
    /// What is asked, where that can be told.
    fileprivate let describe: @Sendable () -> Plan?
    /// Who may cancel all calls of the client that begin now.
    fileprivate let scope: @Sendable () -> CancellationScope
    /// Connects, to go on after an id.
    fileprivate let open: @Sendable (String) async throws(NetworkError) -> StreamingResponse

    /// What of a call matters to its reconnections.
    fileprivate struct Plan: Sendable {
        var method: RequestMethod
        var url: String
        /// The id in the call's own field.
        var lastEventID: String
    }

    /// Starts; the connection is made when the first event is asked for.
    public func makeAsyncIterator() -> Iterator { Iterator(source: self, plan: describe()) }

    /// Reads events, over as many connections as it takes.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        private enum Place {
            case between(Duration, atLeast: Duration)
            case reading(ServerSentEvents.Iterator, CollectedResponse)
            case over
        }

        private let source: EventSource
        private let isIdempotent: Bool
        private var machine: EventSourceMachine
        private var place = Place.between(.zero, atLeast: .zero)
        /// What the last connection asked for.
        private var target: (method: String, url: String)
        /// That of the last connection: whoever cancels it means the wait after it, too.
        private var scope: CancellationScope?
        private var watch: Stopwatch?
        /// Waits for a way that came since the last connection was lost, or since the attempt after it began.
        private var pathReturned: PathWatch.Wait?

        fileprivate init(source: EventSource, plan: Plan?) {
            self.source = source
            var options = source.options
            if options.lastEventID.isEmpty, let plan { options.lastEventID = plan.lastEventID }
            machine = EventSourceMachine(options)
            isIdempotent = plan?.method.isIdempotent ?? false
            target = (plan?.method.rawValue ?? "", plan?.url ?? "")
        }

        /// The id to go on after: what to keep for the next run of the program.
        public var lastEventID: String {
            guard case .reading(let events, _) = place else { return machine.lastEventID }
            return events.records.parser.lastEventID
        }

        /// The next event, or `nil` when the server has ended the stream.
        ///
        /// - Parameter actor: The isolation of the caller.
        /// - Returns: The next event.
        /// - Throws: ``NetworkError``.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws -> ServerSentEvent? {
            try await typedNext(isolation: actor)
        }

        package mutating func typedNext(isolation actor: isolated (any Actor)?) async throws(NetworkError)
            -> ServerSentEvent?
        {
            while true {
                let current = place
                place = .over  // Stands where the next lines throw.
                switch current {
                case .over: return nil
                case .between(let delay, let floor):
                    do {
                        try await wait(delay, atLeast: floor)
                    } catch {
                        throw close(
                            .cancelled(
                                FailureContext(method: target.method, url: target.url, attempts: machine.attempts)))
                    }
                    try await connect()
                case .reading(var events, let head):
                    let ending: NetworkError?
                    do {
                        if let event = try await events.next(isolation: actor) {
                            note(events)
                            machine.deliver()
                            place = .reading(events, head)
                            return event
                        }
                        ending = nil
                    } catch {
                        ending = NetworkError(streaming: error, head)
                    }
                    note(events)
                    try end(ending)
                }
            }
        }

        private func wait(_ delay: Duration, atLeast floor: Duration) async throws {
            let (time, path) = (source.time, pathReturned)
            guard delay > .zero, let scope else {
                guard scope?.isCancelled != true else { throw CancellationError() }
                return try await time.sleep(for: delay)
            }
            try await scope.run {
                guard await time.sleep(for: delay, orUntil: path, butAtLeast: floor) else { throw CancellationError() }
            }
        }

        private mutating func connect() async throws(NetworkError) {
            machine.connect()
            watch = nil
            // What comes while it is tried ends the wait after it; a first attempt is not worth a watch.
            if pathReturned != nil { pathReturned = source.paths?.begin() }
            scope = source.scope()
            report(.connecting(attempt: machine.attempts))
            do throws(NetworkError) {
                let response = try await source.open(machine.lastEventID)
                target = (response.head.requestHead.method.rawValue, response.head.requestHead.urlString)
                guard response.statusCode != 204 else {
                    pathReturned = nil
                    report(.closed(nil))
                    return
                }
                let events = response.serverSentEvents(
                    limit: source.options.maximumEventBytes, after: machine.lastEventID)
                if let refusal = events.refusal { throw NetworkError(streaming: refusal, response.head) }
                machine.open()
                pathReturned = nil
                watch = source.time.stopwatch()
                report(.open(response.head))
                place = .reading(events.makeAsyncIterator(), response.head)
            } catch {
                if let head = error.response?.requestHead {
                    target = (head.method.rawValue, head.urlString)
                } else if let context = error.context {
                    target = (context.method, context.url)
                }
                try end(error)
            }
        }

        private mutating func note(_ events: ServerSentEvents.Iterator) {
            let parser = events.records.parser
            machine.note(lastEventID: parser.lastEventID, reconnectionTime: parser.reconnectionTime)
        }

        /// Goes on as the machine says, after a connection that ended whole or in an error.
        private mutating func end(_ error: NetworkError?) throws(NetworkError) {
            let ending = EventSourceMachine.Ending(
                error,
                mayPass: error?.mayPass(hasOpened: watch != nil) ?? true,
                isIdempotent: isIdempotent,
                shortestWait: error?.shortestWait(now: source.time.now) ?? .zero,
                lasted: watch?.elapsed ?? .zero
            )
            switch machine.after(ending, fraction: source.random.fraction()) {
            case .reconnect(let delay, let floor):
                if pathReturned == nil { pathReturned = source.paths?.begin() }
                report(.waiting(delay, after: error))
                place = .between(delay, atLeast: floor)
            case .end:
                pathReturned = nil
                report(.closed(nil))
            case .fail(let error): throw close(error)
            }
        }

        private mutating func close(_ error: NetworkError) -> NetworkError {
            pathReturned = nil
            report(.closed(error))
            return error
        }

        private func report(_ state: EventSourceState) { source.options.onState?(state) }
    }
}

extension Call {
    /// The call as server-sent events that go on when a connection ends.
    ///
    /// It asks for `text/event-stream` with `Cache-Control: no-cache`, as browsers do, unless the endpoint has these fields of
    /// its own, and takes 200 for a stream and
    /// nothing else, whatever statuses and media types the client accepts. The client's retries do not apply: the options
    /// say how it comes back. ``Timeouts/total`` and ``Timeouts/idle`` hold for each connection where somebody set them.
    ///
    /// - Parameter options: How it connects and comes back.
    /// - Returns: The events: cold, connections of its own for each iteration.
    public func eventSource(_ options: EventSourceOptions = EventSourceOptions()) -> EventSource {
        let call = with { configuration in
            configuration.neverRetry()
            configuration.validation.statusCodes = [200, 204]
            configuration.validation.contentTypes = nil
            if !configuration.timeouts.isIdleSet { configuration.timeouts.idle = nil }
        }
        let describe = call.describe
        return EventSource(
            options: options, time: settings.configuration.time, random: settings.configuration.random,
            paths: options.pathReturned.map { PathWatch($0) } ?? settings.configuration.pathWatch,
            describe: { [settings = call.settings] in
                (try? describe(settings)).map {
                    EventSource.Plan(
                        method: $0.method, url: $0.intendedURL(settings), lastEventID: $0.lastEventID ?? "")
                }
            },
            scope: { [client] in client.scope }
        ) { [call] id async throws(NetworkError) in
            var once = call
            once.describe = { settings throws(InvalidRequest) in
                var description = try describe(settings)
                description.setHeader("Accept", unlessThere: "text/event-stream")
                description.setHeader("Cache-Control", unlessThere: "no-cache")
                description.lastEventID = id.isEmpty ? nil : id
                return description
            }
            return try await once.openStream()
        }
    }
}

extension CallDescription {
    fileprivate mutating func setHeader(_ name: String, unlessThere value: String) {
        guard !headers.keys.contains(where: { $0.lowercased() == name.lowercased() }) else { return }
        headers[name] = value
    }

    /// The field `Last-Event-ID`, however it is written.
    fileprivate var lastEventID: String? {
        get { headers.first { $0.key.lowercased() == "last-event-id" }?.value }
        set {
            headers = headers.filter { $0.key.lowercased() != "last-event-id" }
            headers["Last-Event-ID"] = newValue
        }
    }
}

extension APIClient {
    /// The server-sent events of an endpoint, which go on when a connection ends.
    ///
    /// - Parameters:
    ///   - router: The endpoint.
    ///   - options: How it connects and comes back.
    /// - Returns: The events: cold, connections of its own for each iteration.
    public func eventSource(
        _ router: some NetworkRouter, options: EventSourceOptions = EventSourceOptions()
    ) -> EventSource {
        call(router).eventSource(options)
    }

    /// The server-sent events of a path, which go on when a connection ends.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - body: The body of the request.
    ///   - options: How it connects and comes back.
    /// - Returns: The events: cold, connections of its own for each iteration.
    public func eventSource(
        _ method: RequestMethod,
        _ path: String,
        query: QueryItems = QueryItems(),
        headers: [String: String] = [:],
        body: RequestBody = .empty,
        options: EventSourceOptions = EventSourceOptions()
    ) -> EventSource {
        call(method, path, query: query, headers: headers, body: body).eventSource(options)
    }
}
