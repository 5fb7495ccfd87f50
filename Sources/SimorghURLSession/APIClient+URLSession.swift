// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCompatibility
public import SimorghCore

extension APIClient {
    /// Creates a client over a `URLSession`.
    ///
    /// ```swift
    /// let client = APIClient(configuration: .default, retryHandler: DefaultRetryHandler(numberOfRetries: 3))
    /// ```
    /// The session's limits of time and its fields become the client's; see ``APIClient/Configuration/take(_:)``.
    ///
    /// A background session carries files alone: every call of a client over one fails with ``UnsupportedByURLSession``.
    /// `DownloadManagerConfig.backgroundSessionIdentifier` hands downloads to such a session, on Apple's systems.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration.
    ///   - configurationDelegate: Asked about certificates, and told of metrics, where the platform does so.
    ///   - qos: How urgent the session's work is.
    ///   - logLevel: How much is written to the log; nothing by default.
    ///   - defaultCacheStrategy: Whether calls may be answered from a cache; what the configuration says by default.
    ///   - decoder: Decodes JSON; `nil`, the default, is a plain decoder.
    ///   - retryHandler: Judges failures, within what is safe; none by default.
    public convenience init(
        configuration: URLSessionConfiguration,
        configurationDelegate: (any URLSessionDelegate)? = nil,
        qos: DispatchQoS = .userInitiated,
        logLevel: LogLevel = .none,
        defaultCacheStrategy: CacheStrategy? = nil,
        decoder: JSONDecoder? = nil,
        retryHandler: (any RetryHandler)? = nil
    ) {
        var settings = Configuration()
        settings.take(configuration)
        settings.logging.level = logLevel
        if let defaultCacheStrategy { settings.caching.strategy = defaultCacheStrategy }
        settings.coding.decoder = decoder
        settings.retryHandler = retryHandler
        self.init(
            configuration: settings,
            transport: URLSessionTransport(
                configuration: configuration, delegate: configurationDelegate, qos: qos))
    }

    /// Takes what a session's configuration says for later calls, and a new session with it where this client has one.
    ///
    /// Over the engine of `import Simorgh`, which has no session, its limits of time, its fields and its cache policy are
    /// taken.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - cancelling: Whether requests over the session before are cancelled; by default they finish as they would.
    public func updateConfiguration(_ configuration: URLSessionConfiguration, cancelling: Bool = false) {
        if let transport = settings.transport as? URLSessionTransport {
            transport.updateConfiguration(configuration, cancelling: cancelling)
        } else if cancelling {
            cancelAllRequests()
        }
        updateConfiguration { $0.take(configuration) }
    }
}
