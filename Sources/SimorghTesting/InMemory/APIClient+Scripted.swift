// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// A client over a transport of a test: nothing of this machine's network has a part in what it does.
    ///
    /// ```swift
    /// let client = APIClient.scripted(transport) { $0.time = clock.timeSource }
    /// ```
    /// - Parameters:
    ///   - transport: What answers.
    ///   - baseURL: What relative paths are appended to; `https://api.test` by default.
    ///   - change: Changes the configuration.
    /// - Returns: The client, which calls completions at once, where they come about.
    public static func scripted(
        _ transport: any Transport, baseURL: String? = "https://api.test",
        _ change: (inout Configuration) -> Void = { _ in }
    ) -> APIClient {
        var configuration = Configuration()
        configuration.networkMonitor = nil
        configuration.baseURL = baseURL
        configuration.callbackQueue = .immediate
        change(&configuration)
        return APIClient(configuration: configuration, transport: transport)
    }
}
