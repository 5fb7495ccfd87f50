// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient.Configuration {
    /// Tells reconnections of a way to the internet that was not there before; `nil` where nobody knows.
    package var pathWatch: PathWatch? { networkMonitor.map { PathWatch($0) } }
}

extension NetworkProbe {
    /// Creates a probe that gets a URL, for which a hotspot's sign-in page answers otherwise.
    ///
    /// Take one of your own server's, over `http` and not `https`, which no hotspot can answer. The request follows no
    /// redirect, carries neither cookies nor credentials, and is not repeated.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - status: What the server answers with; 204 by default.
    ///   - client: Whose transport sends it.
    public init(url: String, expecting status: Int = 204, using client: APIClient) {
        var configuration = APIClient.Configuration()
        configuration.time = client.configuration.time
        configuration.route = client.configuration.route
        configuration.timeouts.total = .seconds(10)
        configuration.redirects = .none
        configuration.validation.statusCodes = StatusCodeSet(0...999)
        configuration.caching.strategy = .reloadIgnoringLocalCacheData
        configuration.maximumCollectedBytes = 1024 * 1024
        let plain = APIClient(configuration: configuration, transport: client.settings.transport)
        self.init {
            switch await plain.call(.get, url).decoding(.status).result() {
            case .success(let response): response.statusCode == status ? .open : .captivePortal
            // A server answers, with more than was asked for.
            case .failure(.bodyTooLarge): .captivePortal
            case .failure: .unreachable
            }
        }
    }
}
