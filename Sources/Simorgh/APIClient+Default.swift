// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghNIO
import SimorghSupport

extension APIClient {
    /// Creates a client over the engine that the whole process shares.
    ///
    /// ```swift
    /// let client = APIClient(baseURL: "https://api.example.com")
    /// ```
    /// - Parameters:
    ///   - baseURL: What relative paths are appended to; without one, paths are whole URLs.
    ///   - configuration: How the client behaves; its own base URL yields to `baseURL`.
    public convenience init(baseURL: String? = nil, configuration: Configuration = Configuration()) {
        var configuration = configuration
        if let baseURL { configuration.baseURL = baseURL }
        self.init(configuration: configuration, transport: NIOTransport.shared)
    }

    /// Creates a client over the engine that the whole process shares.
    ///
    /// - Parameters:
    ///   - baseURL: What relative paths are appended to.
    ///   - configuration: How the client behaves; its own base URL yields to `baseURL`.
    public convenience init(baseURL: URL, configuration: Configuration = Configuration()) {
        self.init(baseURL: baseURL.absoluteString, configuration: configuration)
    }

    /// Creates a client whose base URL is asked for at each request: for an address that changes while the program runs.
    ///
    /// - Parameters:
    ///   - baseURL: Gives the base URL; called from many tasks.
    ///   - configuration: How the client behaves.
    public convenience init(
        baseURL: @escaping @Sendable () -> String, configuration: Configuration = Configuration()
    ) {
        var configuration = configuration
        configuration.dynamicBaseURL = baseURL
        self.init(configuration: configuration, transport: NIOTransport.shared)
    }
}
