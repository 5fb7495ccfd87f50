// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient.Configuration {
    /// Notifies waiting reconnects when the network is back; `nil` without a monitor.
    package var pathWatch: NetworkReturnWaiter? { networkMonitor.map { NetworkReturnWaiter($0) } }
}

extension NetworkProbe {
    /// Creates a probe that requests a URL to which a captive portal would respond differently.
    ///
    /// Use a URL of your own server with `http` instead of `https`, because a captive portal cannot answer `https`. The
    /// request follows no redirects, carries neither cookies nor credentials, and is not retried.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - status: The status that the server responds with. Default: 204.
    ///   - client: The client with the transport to use.
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
            // A server responded with a body larger than the limit, which the expected server does not do.
            case .failure(.bodyTooLarge): .captivePortal
            case .failure: .unreachable
            }
        }
    }
}
