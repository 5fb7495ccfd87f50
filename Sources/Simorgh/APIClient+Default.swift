// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Creates a client with the process's shared transport.
    ///
    /// ```swift
    /// let client = APIClient(baseURL: "https://api.example.com")
    /// ```
    /// The shared transport is `URLSessionTransport.shared` on Apple platforms, and `NIOTransport.shared`, the engine,
    /// elsewhere. To use the engine on Apple platforms, too, import `SimorghNIO` and pass `NIOTransport.shared` to
    /// ``/SimorghCore/APIClient/init(configuration:transport:)``.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which relative paths are appended; without one, paths are whole URLs.
    ///   - configuration: The client's configuration; `baseURL` overrides its base URL.
    public convenience init(baseURL: String? = nil, configuration: Configuration = Configuration()) {
        var configuration = configuration
        if let baseURL { configuration.baseURL = baseURL }
        self.init(configuration: configuration, transport: DefaultTransport.shared)
    }

    /// Creates a client with the process's shared transport.
    ///
    /// - Parameters:
    ///   - baseURL: The URL to which relative paths are appended.
    ///   - configuration: The client's configuration; `baseURL` overrides its base URL.
    public convenience init(baseURL: URL, configuration: Configuration = Configuration()) {
        self.init(baseURL: baseURL.absoluteString, configuration: configuration)
    }

    /// Creates a client that asks for its base URL at each request, for an address that changes while the program runs.
    ///
    /// - Parameters:
    ///   - baseURL: Returns the base URL; called from many tasks.
    ///   - configuration: The client's configuration.
    public convenience init(
        baseURL: @escaping @Sendable () -> String, configuration: Configuration = Configuration()
    ) {
        var configuration = configuration
        configuration.dynamicBaseURL = baseURL
        self.init(configuration: configuration, transport: DefaultTransport.shared)
    }
}
