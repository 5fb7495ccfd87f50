// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// A stream of server-sent events that reconnects and resumes after the last event (WHATWG HTML, section 9.2).
///
/// ```swift
/// for try await event in client.call(.get, "feed").eventSource() { print(event.event, event.data) }
/// ```
/// The stream is cold: each iteration makes its own connections, and leaving the loop or cancelling the task closes
/// the connection immediately. Credentials are refreshed on 401 as for any call. Only status 200 starts a stream, and
/// 204 ends it. A transient error (a lost connection, 503, an open circuit breaker) is followed by a reconnect; any
/// other error, or another media type, ends the stream with that error. An event is delivered only when it is complete:
/// if a connection breaks in the middle of an event, a server that supports event ids sends that event again. The
/// stream ends when the client is drained (``APIClient/drain(within:)``).
public struct EventSource: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = ServerSentEvent
    /// The error that ended the stream permanently: a ``NetworkError``.
    public typealias Failure = any Error

    fileprivate let options: EventSourceOptions
    fileprivate let time: TimeSource
    fileprivate let random: RandomSource
    /// Waits until the network is back; `nil` without a monitor.
    fileprivate let networkReturn: NetworkReturnWaiter?
    /// Describes the request; returns `nil` if it is invalid.
    fileprivate let describe: @Sendable () -> Plan?
    /// Returns true if the client is draining.
    fileprivate let isDraining: @Sendable () -> Bool
    /// Returns the scope that can cancel all event sources of the client that connect now.
    fileprivate let scope: @Sendable () -> CancellationScope
    /// Connects and asks the server to resume after an event id.
    fileprivate let open: @Sendable (String) async throws(NetworkError) -> StreamingResponse

    /// The parts of a call that matter for reconnects.
    fileprivate struct Plan: Sendable {
        var method: RequestMethod
        var url: String
        /// The id in the call's own `Last-Event-ID` field.
        var lastEventID: String
    }

    /// Returns an iterator.
    ///
    /// It connects when the first event is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(source: self, plan: describe()) }

    /// Reads events, over as many connections as necessary.
    public struct Iterator: AsyncIteratorProtocol, TypedIterator {
        private enum Phase {
            case between(Duration, atLeast: Duration)
            case reading(ServerSentEvents.Iterator, CollectedResponse)
            case over
        }

        private let source: EventSource
        private let isIdempotent: Bool
        private var machine: EventSourceStateMachine
        private var phase = Phase.between(.zero, atLeast: .zero)
        /// The method and URL of the last connection.
        private var target: (method: String, url: String)
        /// The scope of the last connection.
        ///
        /// Cancelling it also cancels the wait before the next one.
        private var scope: CancellationScope?
        /// Measures the time since the current connection was opened; `nil` while none is open.
        private var openTime: Stopwatch?
        /// True if the client has admitted a connection of this iterator.
        private var wasAdmitted = false
        /// Waits for the network to come back since the last connection was lost, or since the following attempt began.
        private var networkWait: NetworkReturnWaiter.Wait?

        fileprivate init(source: EventSource, plan: Plan?) {
            self.source = source
            var options = source.options
            if options.lastEventID.isEmpty, let plan { options.lastEventID = plan.lastEventID }
            machine = EventSourceStateMachine(options)
            isIdempotent = plan?.method.isIdempotent ?? false
            target = (plan?.method.rawValue ?? "", plan?.url ?? "")
        }

        /// The id of the last event.
        ///
        /// Save it to resume the stream in the next run of the program.
        public var lastEventID: String {
            guard case .reading(let events, _) = phase else { return machine.lastEventID }
            return events.records.parser.lastEventID
        }

        /// Returns the next event, or `nil` if the server has ended the stream.
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
                let current = phase
                phase = .over  // The state if the next lines throw.
                switch current {
                case .over: return nil
                case .between(let delay, let floor):
                    let stopwatch = source.time.stopwatch()
                    do {
                        try await wait(delay, atLeast: floor)
                    } catch {
                        guard !(wasAdmitted && source.isDraining()) else {
                            stop()
                            return nil
                        }
                        throw close(
                            .cancelled(
                                FailureContext(method: target.method, url: target.url, attempts: machine.attempts)))
                    }
                    try await connect(after: stopwatch.elapsed)
                case .reading(var events, let head):
                    let ending: NetworkError?
                    do {
                        if let event = try await events.next(isolation: actor) {
                            note(events)
                            machine.didDeliverEvent()
                            phase = .reading(events, head)
                            return event
                        }
                        ending = nil
                    } catch {
                        ending = NetworkError(streaming: error, head)
                    }
                    note(events)
                    try await end(ending)
                }
            }
        }

        private func wait(_ delay: Duration, atLeast floor: Duration) async throws {
            let (time, path) = (source.time, networkWait)
            guard delay > .zero, let scope else {
                guard scope?.isCancelled != true else { throw CancellationError() }
                return try await time.sleep(for: delay)
            }
            try await scope.run {
                guard await time.sleep(for: delay, orUntil: path, minimumWait: floor) else { throw CancellationError() }
            }
        }

        private mutating func connect(after wait: Duration) async throws(NetworkError) {
            machine.willConnect(after: wait)
            openTime = nil
            // A network that comes back during the attempt ends the next wait. Before the first
            // attempt no connection was lost, so there is no network return to wait for.
            if networkWait != nil { networkWait = source.networkReturn?.begin() }
            scope = source.scope()
            report(.connecting(attempt: machine.attempts))
            do throws(NetworkError) {
                let response = try await source.open(machine.lastEventID)
                target = (response.head.requestHead.method.rawValue, response.head.requestHead.urlString)
                guard response.statusCode != 204 else { return stop() }
                let events = response.serverSentEvents(
                    limit: source.options.maximumEventBytes, after: machine.lastEventID)
                if let refusal = events.refusal { throw NetworkError(streaming: refusal, response.head) }
                machine.didOpen()
                wasAdmitted = true
                networkWait = nil
                openTime = source.time.stopwatch()
                report(.open(response.head))
                phase = .reading(events.makeAsyncIterator(), response.head)
            } catch {
                if let head = error.response?.requestHead {
                    target = (head.method.rawValue, head.urlString)
                } else if let context = error.context {
                    target = (context.method, context.url)
                }
                try await end(error)
            }
        }

        private mutating func note(_ events: ServerSentEvents.Iterator) {
            let parser = events.records.parser
            machine.didReceive(lastEventID: parser.lastEventID, reconnectionTime: parser.reconnectionTime)
        }

        /// Reconnects or ends as the state machine decides, after a connection that ended with or without an error.
        private mutating func end(_ error: NetworkError?) async throws(NetworkError) {
            let isRefused = error?.underlyingError is ClientDrainedError
            guard !source.isDraining() || isRefused && !wasAdmitted else { return stop() }
            wasAdmitted = wasAdmitted || !isRefused
            let ending = EventSourceStateMachine.Ending(
                error,
                isTransient: error?.isTransient(hasOpened: openTime != nil) ?? true,
                isIdempotent: isIdempotent,
                isOffline: await isOffline(error),
                minimumWait: error?.minimumWait(now: source.time.now) ?? .zero,
                lasted: openTime?.elapsed ?? .zero
            )
            switch machine.didEnd(ending, fraction: source.random.fraction()) {
            case .reconnect(let delay, let floor):
                if networkWait == nil { networkWait = source.networkReturn?.begin() }
                report(.waiting(delay, after: error))
                phase = .between(delay, atLeast: floor)
            case .end: stop()
            case .fail(let error): throw close(error)
            }
        }

        /// Returns true if an attempt failed because there is no network, or none that the request may use.
        private func isOffline(_ error: NetworkError?) async -> Bool {
            guard openTime == nil, let error, error.isWithoutNetwork else { return false }
            if error.isForbiddenNetwork { return true }
            return await source.networkReturn?.isOffline() == true
        }

        private mutating func stop() {
            networkWait = nil
            report(.closed(nil))
        }

        private mutating func close(_ error: NetworkError) -> NetworkError {
            networkWait = nil
            report(.closed(error))
            return error
        }

        private func report(_ state: EventSourceState) { source.options.onState?(state) }
    }
}

extension Call {
    /// Returns the call as a stream of server-sent events that reconnects when a connection ends.
    ///
    /// It sends `Accept: text/event-stream` and `Cache-Control: no-cache`, as browsers do, unless the endpoint sets
    /// these fields. Only status 200 starts a stream, whatever statuses and media types the client accepts. The
    /// client's retry policy does not apply; the options define the reconnects. ``Timeouts/total`` and
    /// ``Timeouts/idle`` apply to each connection if they were set explicitly.
    ///
    /// - Parameter options: The options for connecting and reconnecting.
    /// - Returns: The events, as a cold stream: each iteration makes its own connections.
    public func eventSource(_ options: EventSourceOptions = EventSourceOptions()) -> EventSource {
        var call = with { configuration in
            configuration.neverRetry()
            configuration.validation.statusCodes = [200, 204]
            configuration.validation.contentTypes = nil
            if !configuration.timeouts.isIdleSet { configuration.timeouts.idle = nil }
        }
        call.kind = .eventSource
        let describe = call.describe
        return EventSource(
            options: options, time: settings.configuration.time, random: settings.configuration.random,
            networkReturn: options.onNetworkAvailable.map { NetworkReturnWaiter($0) }
                ?? settings.configuration.pathWatch,
            describe: { [settings = call.settings] in
                (try? describe(settings)).map {
                    EventSource.Plan(
                        method: $0.method, url: $0.intendedURL(settings), lastEventID: $0.lastEventID ?? "")
                }
            },
            isDraining: { [client] in client.isDraining },
            scope: { [client] in client.endlessScope }
        ) { [call] id async throws(NetworkError) in
            var once = call
            once.describe = { settings throws(InvalidRequestError) in
                var description = try describe(settings)
                description.setHeader("Accept", ifAbsent: "text/event-stream")
                description.setHeader("Cache-Control", ifAbsent: "no-cache")
                description.lastEventID = id.isEmpty ? nil : id
                return description
            }
            return try await once.openStream()
        }
    }
}

extension CallDescription {
    fileprivate mutating func setHeader(_ name: String, ifAbsent value: String) {
        guard !headers.keys.contains(where: { $0.lowercased() == name.lowercased() }) else { return }
        headers[name] = value
    }

    /// The `Last-Event-ID` field, with any capitalization of its name.
    fileprivate var lastEventID: String? {
        get { headers.first { $0.key.lowercased() == "last-event-id" }?.value }
        set {
            headers = headers.filter { $0.key.lowercased() != "last-event-id" }
            headers["Last-Event-ID"] = newValue
        }
    }
}

extension APIClient {
    /// Returns the server-sent events of an endpoint, as a stream that reconnects when a connection ends.
    ///
    /// - Parameters:
    ///   - router: The endpoint.
    ///   - options: The options for connecting and reconnecting.
    /// - Returns: The events, as a cold stream: each iteration makes its own connections.
    public func eventSource(
        _ router: some NetworkRouter, options: EventSourceOptions = EventSourceOptions()
    ) -> EventSource {
        call(router).eventSource(options)
    }

    /// Returns the server-sent events of a path, as a stream that reconnects when a connection ends.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - path: The path below the base URL, or an absolute URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: The header fields. They override the client's.
    ///   - body: The body of the request.
    ///   - options: The options for connecting and reconnecting.
    /// - Returns: The events, as a cold stream: each iteration makes its own connections.
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
