// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Creates a client over a test transport, isolated from this machine's network.
    ///
    /// ```swift
    /// let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
    /// ```
    /// - Parameters:
    ///   - transport: The transport that responds.
    ///   - baseURL: The base URL of relative paths; `https://api.test` by default.
    ///   - change: Changes the configuration.
    /// - Returns: The client. It calls completion handlers immediately, on the thread where they occur.
    public static func scripted(
        _ transport: any Transport, baseURL: String? = "https://api.test",
        configure change: (inout Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = Configuration()
        configuration.networkMonitor = nil
        configuration.baseURL = baseURL
        configuration.callbackQueue = .immediate
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }
}
