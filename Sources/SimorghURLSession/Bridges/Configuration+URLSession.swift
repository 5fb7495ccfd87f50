// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient.Configuration {
    /// Applies the settings of a session configuration that every transport supports.
    ///
    /// `timeoutIntervalForRequest` becomes the timeout for the response head and for a stalled body,
    /// `timeoutIntervalForResource` the timeout for the whole exchange, `httpAdditionalHeaders` header fields of every
    /// request, and `requestCachePolicy` the cache strategy.
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
    /// Creates the strategy of the same name.
    ///
    /// - Parameter policy: The policy; an unknown one becomes `useProtocolCachePolicy`.
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
    /// Converts seconds from Foundation, which may be any number; a value out of range means no limit.
    fileprivate static func bounded(_ seconds: TimeInterval) -> Duration? {
        guard seconds > 0, seconds < 3_155_760_000 else { return nil }
        return .seconds(seconds)
    }
}
