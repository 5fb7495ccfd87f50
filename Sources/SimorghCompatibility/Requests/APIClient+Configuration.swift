// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient.Configuration {
    /// How much is written to the log: `logging.level`.
    public var logLevel: LogLevel {
        get { logging.level }
        set { logging.level = newValue }
    }

    /// Whether a call may be answered from a cache: `caching.strategy`.
    public var cacheStrategy: CacheStrategy {
        get { caching.strategy }
        set { caching.strategy = newValue }
    }

    /// Decodes JSON: `coding.decoder`.
    public var decoder: JSONDecoder? {
        get { coding.decoder }
        set { coding.decoder = newValue }
    }

    /// Turns a refused response into the server's own error: `validation.errorDecoder`.
    public var errorDecoder: (@Sendable (CollectedResponse) -> (any Error)?)? {
        get { validation.errorDecoder }
        set { validation.errorDecoder = newValue }
    }
}
