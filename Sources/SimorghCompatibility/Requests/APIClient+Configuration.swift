// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient.Configuration {
    /// The verbosity of the log: `logging.level`.
    public var logLevel: LogLevel {
        get { logging.level }
        set { logging.level = newValue }
    }

    /// The use of the cache: `caching.strategy`.
    public var cacheStrategy: CacheStrategy {
        get { caching.strategy }
        set { caching.strategy = newValue }
    }

    /// The JSON decoder: `coding.decoder`.
    public var decoder: JSONDecoder? {
        get { coding.decoder }
        set { coding.decoder = newValue }
    }

    /// The function that decodes an error response into the server's own error: `validation.errorDecoder`.
    public var errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)? {
        get { validation.errorDecoder }
        set { validation.errorDecoder = newValue }
    }
}
