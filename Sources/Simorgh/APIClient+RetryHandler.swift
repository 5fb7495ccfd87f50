// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Creates a client over the engine that the whole process shares, whose failures a handler judges.
    ///
    /// ```swift
    /// let client = APIClient(retryHandler: DefaultRetryHandler(numberOfRetries: 3))
    /// ```
    /// - Parameter retryHandler: Judges failures, within what is safe.
    public convenience init(retryHandler: any RetryHandler) {
        var configuration = Configuration()
        configuration.retryHandler = retryHandler
        self.init(configuration: configuration)
    }

    /// Creates a client over the engine that the whole process shares, which writes a log.
    ///
    /// ```swift
    /// let client = APIClient(logLevel: .verbose)
    /// ```
    /// - Parameters:
    ///   - logLevel: How much is written.
    ///   - retryHandler: Judges failures, within what is safe; `nil`, the default, lets nothing be sent again.
    public convenience init(logLevel: LogLevel, retryHandler: (any RetryHandler)? = nil) {
        var configuration = Configuration()
        configuration.logLevel = logLevel
        configuration.retryHandler = retryHandler
        self.init(configuration: configuration)
    }
}
