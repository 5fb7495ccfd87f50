// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport
import Synchronization

/// Sends requests and gives back values, errors and streams.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com")
/// let users: [User] = try await client.get("users", query: ["page": 2])
/// ```
/// A client is settings over a transport that others share: making one costs little, it needs no shutdown, and letting
/// it go cancels nothing. ``with(_:)`` gives a view with other settings on the same connections.
public final class APIClient: Sendable {
    private let current: Mutex<Settings>
    private let calls: Calls

    /// The calls that ``cancelAllRequests()`` ends, shared by a client and its views.
    private final class Calls: Sendable {
        let scope = Mutex(CancellationScope())
        /// What the steps of the chain remember.
        let state = ChainState()
        /// Those who listen to what happens.
        let hub = EventHub()
    }

    /// Creates a client over a transport.
    ///
    /// `import Simorgh` has an initialiser without `transport`, over the engine that the whole process shares.
    ///
    /// - Parameters:
    ///   - configuration: How the client behaves; it keeps its own copy.
    ///   - transport: What carries the requests.
    public init(configuration: Configuration = Configuration(), transport: any Transport) {
        calls = Calls()
        current = Mutex(Settings(configuration, transport: transport, state: calls.state, hub: calls.hub))
    }

    private init(_ settings: Settings, calls: Calls) {
        current = Mutex(settings)
        self.calls = calls
    }

    /// What calls that are described now are made with.
    package var settings: Settings { current.withLock { $0 } }

    /// How the client behaves.
    public var configuration: Configuration { settings.configuration }

    /// A view of this client with other settings, over the same transport and so the same connections.
    ///
    /// ```swift
    /// let patient = client.with { $0.timeouts.total = .seconds(600) }
    /// ```
    /// - Parameter change: Changes a copy of the configuration.
    /// - Returns: The view; ``cancelAllRequests()`` of either ends the calls of both.
    public func with(_ change: (inout Configuration) throws -> Void) rethrows -> APIClient {
        var configuration = settings.configuration
        try change(&configuration)
        return APIClient(settings.with(configuration), calls: calls)
    }

    /// Changes how the client behaves from now on.
    ///
    /// A call is made with what held when it was described: those that are running, and those kept for later, do not
    /// change, and neither do views that ``with(_:)`` gave. Connections stay, but for those whose TLS options nobody uses
    /// any more, which idle until they are closed.
    ///
    /// - Parameter change: Changes the configuration. When two threads do so at once, one is asked again.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        // Not under the lock, as it is the user's code: whoever finds that another was faster begins again.
        while true {
            let before = settings
            var configuration = before.configuration
            change(&configuration)
            let after = before.with(configuration)
            let isDone = current.withLock { settings in
                guard settings === before else { return false }
                settings = after
                return true
            }
            if isDone { return }
        }
    }

    /// Cancels every call that is running now, of this client and its views; each ends with ``NetworkError/cancelled(_:)``.
    ///
    /// Later calls are not concerned.
    public func cancelAllRequests() {
        let running = calls.scope.withLock { scope in
            let running = scope
            scope = CancellationScope()
            return running
        }
        running.cancelAll()
    }

    /// The scope of the calls that begin now.
    package var scope: CancellationScope { calls.scope.withLock { $0 } }

    /// Those who listen to this client and its views.
    package var hub: EventHub { calls.hub }
}

extension APIClient {
    /// A configuration and what is made of it once: the pipeline, the base URL in parts, the options of the transport.
    package final class Settings: Sendable {
        package let configuration: Configuration
        package let transport: any Transport
        package let base: Result<BaseURL, InvalidRequest>?
        package let options: TransportOptions
        package let pipeline: Pipeline
        package let state: ChainState
        /// Who wants to know what happens.
        package let observation: Observation
        /// The origin of the base URL that does not change.
        private let fixedOrigin: CallContext.Base

        package init(_ configuration: Configuration, transport: any Transport, state: ChainState, hub: EventHub) {
            self.configuration = configuration
            self.transport = transport
            self.state = state
            observation = configuration.observation(hub)
            base = configuration.baseURL.map { url in
                Result { () throws(InvalidRequest) in try BaseURL(url) }
            }
            fixedOrigin =
                configuration.baseURL.map { .origin(WebOrigin($0)) } ?? configuration.credentialsBase ?? .anywhere
            var options = TransportOptions()
            options.timeouts = configuration.timeouts
            options.limits = configuration.limits
            options.tls = configuration.tls
            options.route = configuration.route
            options.httpVersion = configuration.httpVersion
            options.decompresses = configuration.decompresses
            options.delivery = .collected(upTo: configuration.maximumCollectedBytes)
            options.errorBodyBytes = configuration.largestErrorBody
            options.userInfo = configuration.userInfo
            options.priority = configuration.priority
            options.allowsAuthentication = configuration.allowsAuthentication
            options.monitor = configuration.networkMonitor
            options.cacheOnly = configuration.cacheOnly
            self.options = options
            pipeline = Pipeline(configuration, transport, state)
        }

        /// The base URL of now, asked for once for each call: it may be another the next time.
        package var currentBase: CurrentBase {
            guard let dynamic = configuration.dynamicBaseURL else { return CurrentBase(url: base, origin: fixedOrigin) }
            let url = dynamic()
            return CurrentBase(
                url: Result { () throws(InvalidRequest) in try BaseURL(url) }, origin: .origin(WebOrigin(url)))
        }

        /// What one call is held to.
        package struct CurrentBase: Sendable {
            /// What relative paths are appended to; `nil` for nothing.
            package let url: Result<BaseURL, InvalidRequest>?
            /// The origin that credentials are for.
            package let origin: CallContext.Base
        }

        /// Other settings over the same transport, with the same memory.
        package func with(_ configuration: Configuration) -> Settings {
            Settings(configuration, transport: transport, state: state, hub: observation.hub)
        }

        /// Returns the context of a call that begins now.
        ///
        /// - Parameters:
        ///   - client: The client that makes the call.
        ///   - origin: The origin that credentials are for.
        ///   - deadline: The end of the call's time; `nil` for no limit.
        ///   - record: Watches the call.
        /// - Returns: The context.
        package func context(
            of client: APIClient, for origin: CallContext.Base, until deadline: Deadline?, watchedBy record: CallRecord?
        ) -> CallContext {
            CallContext(
                deadline: deadline, base: origin, watcher: record, time: configuration.time,
                random: configuration.random, owner: client)
        }

        /// Watches a call that begins now; `nil` if there is no observer.
        package var record: CallRecord? { observation.isActive ? CallRecord(observation) : nil }
    }
}

extension APIClient.Configuration {
    /// Who wants to know what happens in the calls.
    fileprivate func observation(_ hub: EventHub) -> Observation {
        let log =
            logging.level > .none
            ? NetworkLog(logging.level, to: logging.logger, rules: logging.redaction, time: time) : nil
        return Observation(onEvent: logging.onEvent, hub: hub, log: log, rules: logging.redaction, time: time)
    }
}
