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
}
