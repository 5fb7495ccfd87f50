// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Creates a client with the process's shared transport and a custom retry handler.
    ///
    /// ```swift
    /// let client = APIClient(retryHandler: DefaultRetryHandler(numberOfRetries: 3))
    /// ```
    /// - Parameter retryHandler: Decides which failures are retried, among those that are safe to retry.
    public convenience init(retryHandler: any RetryHandler) {
        var configuration = Configuration()
        configuration.retryHandler = retryHandler
        self.init(configuration: configuration)
    }

    /// Creates a client with the process's shared transport that writes a log.
    ///
    /// ```swift
    /// let client = APIClient(logLevel: .verbose)
    /// ```
    /// - Parameters:
    ///   - logLevel: The verbosity of the log.
    ///   - retryHandler: Decides which failures are retried, among those that are safe to retry. Default: `nil`, which
    ///     never retries.
    public convenience init(logLevel: LogLevel, retryHandler: (any RetryHandler)? = nil) {
        var configuration = Configuration()
        configuration.logLevel = logLevel
        configuration.retryHandler = retryHandler
        self.init(configuration: configuration)
    }
}
