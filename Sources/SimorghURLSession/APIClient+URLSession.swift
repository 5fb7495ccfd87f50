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
    /// The session's timeouts and header fields become the client's; see ``APIClient/Configuration/take(_:)``. On Apple
    /// platforms the client also opens WebSockets and subscriptions; the page of this module has the limits.
    ///
    /// A background session transfers only files: every call of a client over one fails with
    /// ``UnsupportedByURLSessionError``. `DownloadManagerConfig.backgroundSessionIdentifier` uses such a session for
    /// downloads, on Apple platforms.
    ///
    /// - Parameters:
    ///   - configuration: The session's configuration.
    ///   - configurationDelegate: The delegate for certificate checks and metrics, if the platform supports them.
    ///   - qos: The quality of service of the session's work.
    ///   - logLevel: The amount of logging. Default: nothing.
    ///   - defaultCacheStrategy: The cache strategy of calls. Default: that of the session's configuration.
    ///   - decoder: The JSON decoder; `nil`, the default, for a plain decoder.
    ///   - retryHandler: The handler that decides on retries, if a retry is safe. Default: no handler.
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

    /// Applies a session configuration to later calls, with a new session if this client has a session of its own.
    ///
    /// With ``URLSessionTransport/shared``, whose session belongs to all clients, and with the engine, which has no
    /// session, only the timeouts, header fields and cache policy apply.
    ///
    /// - Parameters:
    ///   - configuration: The configuration.
    ///   - cancelling: True to cancel the requests over the previous session, or with another or the shared transport
    ///     all running calls of this client and its views; by default they finish normally.
    public func updateConfiguration(_ configuration: URLSessionConfiguration, cancelling: Bool = false) {
        if let transport = settings.transport as? URLSessionTransport, transport !== URLSessionTransport.shared {
            transport.updateConfiguration(configuration, cancelling: cancelling)
        } else if cancelling {
            cancelAllRequests()
        }
        updateConfiguration { $0.take(configuration) }
    }
}
