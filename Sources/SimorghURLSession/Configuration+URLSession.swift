// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient.Configuration {
    /// Takes what a session's configuration says that holds on every transport.
    ///
    /// `timeoutIntervalForRequest` becomes the limit on the wait for the head and on a body that stalls,
    /// `timeoutIntervalForResource` the limit on the whole, `httpAdditionalHeaders` fields of every request, and
    /// `requestCachePolicy` the cache strategy.
    ///
    /// - Parameter configuration: The session's configuration.
    public mutating func take(_ configuration: URLSessionConfiguration) {
        timeouts.head = .bounded(configuration.timeoutIntervalForRequest)
        timeouts.idle = .bounded(configuration.timeoutIntervalForRequest)
        timeouts.total = .bounded(configuration.timeoutIntervalForResource)
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            guard let name = name as? String else { continue }
            headers[name] = value as? String ?? "\(value)"
        }
        caching.strategy = CacheStrategy(configuration.requestCachePolicy)
    }
}

extension CacheStrategy {
    /// The strategy of the same name.
    ///
    /// - Parameter policy: The policy; one that Foundation adds later is taken for the protocol's.
    public init(_ policy: URLRequest.CachePolicy) {
        switch policy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData: self = .reloadIgnoringLocalCacheData
        case .returnCacheDataElseLoad: self = .returnCacheDataElseLoad
        case .returnCacheDataDontLoad: self = .returnCacheDataDontLoad
        case .reloadRevalidatingCacheData: self = .reloadRevalidatingCacheData
        case .useProtocolCachePolicy: self = .useProtocolCachePolicy
        @unknown default: self = .useProtocolCachePolicy
        }
    }
}

extension Duration {
    /// Seconds that Foundation counts in floating point, where any number is possible; none is no limit.
    fileprivate static func bounded(_ seconds: TimeInterval) -> Duration? {
        guard seconds > 0, seconds < 3_155_760_000 else { return nil }
        return .seconds(seconds)
    }
}
