// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport
import Synchronization

/// A client that sends requests and returns values, errors and streams.
///
/// ```swift
/// let client = APIClient(baseURL: "https://api.example.com")
/// let users: [User] = try await client.get("users", query: ["page": 2])
/// ```
/// A client combines settings with a transport that other clients can share. Creating one is cheap, it needs no
/// shutdown, and releasing it cancels nothing; ``drain(within:)`` ends its work before the program ends. ``with(_:)``
/// returns a view with other settings on the same connections.
public final class APIClient: Sendable {
    private let current: Mutex<Settings>
    private let calls: Calls

    /// The calls that ``cancelAllRequests()`` ends, shared by a client and its views.
    private final class Calls: Sendable {
        let scopes = Mutex((calls: CancellationScope(), endless: CancellationScope()))
        /// The requests that a drain has cancelled.
        let cancelledRequests = Mutex<[FailureContext]>([])
        /// The state of the interceptors.
        let state = PipelineState()
        /// The event streams of the listeners.
        let hub = EventBroadcaster()
    }

    /// Creates a client over a transport.
    ///
    /// `import Simorgh` adds an initializer without `transport`, which uses the default of the platform: the engine on
    /// Linux, `URLSession` on Apple platforms.
    ///
    /// - Parameters:
    ///   - configuration: The settings; the client keeps its own copy.
    ///   - transport: The transport that carries the requests.
    public init(configuration: Configuration = Configuration(), transport: any Transport) {
        calls = Calls()
        current = Mutex(Settings(configuration, transport: transport, state: calls.state, hub: calls.hub))
    }

    private init(_ settings: Settings, calls: Calls) {
        current = Mutex(settings)
        self.calls = calls
    }

    /// The settings for calls that are described from now on.
    package var settings: Settings { current.withLock { $0 } }

    /// The settings of the client.
    public var configuration: Configuration { settings.configuration }

    /// Returns a view of this client with other settings, over the same transport and therefore the same connections.
    ///
    /// ```swift
    /// let patient = client.with { $0.timeouts.total = .seconds(600) }
    /// ```
    /// - Parameter change: Changes a copy of the configuration.
    /// - Returns: The view. ``cancelAllRequests()`` of either cancels the calls of both.
    public func with(_ change: (inout Configuration) throws -> Void) rethrows -> APIClient {
        var configuration = settings.configuration
        try change(&configuration)
        return APIClient(settings.with(configuration), calls: calls)
    }

    /// Changes the settings of the client for later calls.
    ///
    /// A call uses the settings from the time when it was described. Running calls, calls that are kept for later, and
    /// views from ``with(_:)`` do not change. Open connections are kept. A connection whose TLS options no client uses
    /// any more is not reused, and is closed by the idle timeout.
    ///
    /// - Parameter change: Changes the configuration. If two threads change it at the same time, one closure runs
    ///   again.
    public func updateConfiguration(_ change: (inout Configuration) -> Void) {
        // The closure is the user's code and must not run under the lock. If another thread was faster, it runs again.
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

    /// Cancels all running calls of this client and its views; each throws ``NetworkError/cancelled(_:)``.
    ///
    /// Later calls are not affected.
    public func cancelAllRequests() {
        let running = calls.scopes.withLock { scopes in
            defer {
                // A drain cancels its scopes for good: a late call or event source must find them cancelled.
                if !gate.isOver { scopes.calls = CancellationScope() }
                if !gate.isDraining { scopes.endless = CancellationScope() }
            }
            return scopes
        }
        running.calls.cancelAll()
        running.endless.cancelAll()
    }

    /// The cancellation scope of calls that begin now.
    package var scope: CancellationScope { calls.scopes.withLock { $0.calls } }

    /// The cancellation scope of event sources that connect now.
    package var endlessScope: CancellationScope { calls.scopes.withLock { $0.endless } }

    /// Admits the calls of this client and its views.
    package var gate: DrainGate { calls.state.gate }

    /// The requests that a drain has cancelled.
    var cancelledRequests: [FailureContext] {
        get { calls.cancelledRequests.withLock { $0 } }
        set { calls.cancelledRequests.withLock { $0 = newValue } }
    }

    /// The event streams of this client and its views.
    package var hub: EventBroadcaster { calls.hub }
}

extension APIClient {
    /// A configuration and the values derived from it once: pipeline, parsed base URL, transport options.
    package final class Settings: Sendable {
        package let configuration: Configuration
        package let transport: any Transport
        package let base: Result<BaseURL, InvalidRequestError>?
        /// The codecs; `nil` for JSON alone.
        package let codecs: Result<BodyCodecs, InvalidRequestError>?
        package var validCodecs: BodyCodecs? { try? codecs?.get() }
        package let options: TransportOptions
        package let pipeline: Pipeline
        package let state: PipelineState
        /// The observers of calls.
        package let observation: ObserverSet
        /// The origin of the base URL if the URL is fixed; otherwise `credentialsBase` of the configuration, or any
        /// origin.
        private let fixedOrigin: CallContext.Base

        package init(
            _ configuration: Configuration, transport: any Transport, state: PipelineState, hub: EventBroadcaster
        ) {
            self.configuration = configuration
            self.transport = transport
            self.state = state
            observation = configuration.observation(hub)
            codecs = BodyCodecs.checked(configuration.codecs)
            base = configuration.baseURL.map { url in
                Result { () throws(InvalidRequestError) in try BaseURL(url) }
            }
            fixedOrigin =
                configuration.baseURL.map { .origin(WebOrigin($0)) } ?? configuration.credentialsBase ?? .anywhere
            var options = TransportOptions()
            options.timeouts = configuration.timeouts
            options.limits = configuration.limits
            options.tls = configuration.tls
            options.route = configuration.route
            options.access = configuration.access
            options.httpVersion = configuration.httpVersion
            options.decompresses = configuration.decompresses
            options.delivery = .collected(upTo: configuration.maximumCollectedBytes)
            options.errorBodyBytes = configuration.errorBodyLimit
            options.userInfo = configuration.userInfo
            // Also for retries that move to another origin.
            for name in configuration.redirects.sensitiveHeaders.compactMap({ HTTPField.Name($0) }) {
                options.userInfo[CredentialFields.self].insert(name)
            }
            options.priority = configuration.priority
            options.allowsAuthentication = configuration.allowsAuthentication
            options.monitor = configuration.networkMonitor
            options.cacheOnly = configuration.cacheOnly
            self.options = options
            pipeline = Pipeline(configuration, transport: transport, state: state)
        }

        /// The current base URL.
        ///
        /// Read once per call, because a dynamic base URL can change.
        package var currentBase: CurrentBase {
            guard let dynamic = configuration.dynamicBaseURL else { return CurrentBase(url: base, origin: fixedOrigin) }
            let url = dynamic()
            return CurrentBase(
                url: Result { () throws(InvalidRequestError) in try BaseURL(url) }, origin: .origin(WebOrigin(url)))
        }

        /// The base URL and the credential origin of one call.
        package struct CurrentBase: Sendable {
            /// The URL that relative paths are appended to; `nil` without a base URL.
            package let url: Result<BaseURL, InvalidRequestError>?
            /// The origin that credentials are for.
            package let origin: CallContext.Base
        }

        /// Returns other settings over the same transport, with the same state.
        package func with(_ configuration: Configuration) -> Settings {
            Settings(configuration, transport: transport, state: state, hub: observation.hub)
        }

        /// Returns the context of a call that begins now.
        ///
        /// - Parameters:
        ///   - client: The client that makes the call.
        ///   - origin: The origin that credentials are for.
        ///   - deadline: The deadline of the call; `nil` for no limit.
        ///   - reporter: The observer of the call.
        /// - Returns: The context.
        package func context(
            of client: APIClient, for origin: CallContext.Base, until deadline: Deadline?,
            reportingTo reporter: CallReporter?
        ) -> CallContext {
            CallContext(
                deadline: deadline, base: origin, reporter: reporter, time: configuration.time,
                random: configuration.random, owner: client, codecs: validCodecs)
        }

        /// A new observer for a call that begins now; `nil` if there are no listeners.
        package var reporter: CallReporter? { observation.isActive ? CallReporter(observation) : nil }
    }
}

extension APIClient.Configuration {
    /// Returns the observers of the calls.
    fileprivate func observation(_ hub: EventBroadcaster) -> ObserverSet {
        let log =
            logging.level > .none
            ? NetworkLog(logging.level, to: logging.logger, rules: logging.redaction, time: time) : nil
        return ObserverSet(onEvent: logging.onEvent, hub: hub, log: log, rules: logging.redaction, time: time)
    }
}
