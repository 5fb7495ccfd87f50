// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghSupport

/// An error that reports that ``StopTheLine`` sent a request again as often as allowed without an accepted response.
public struct StopTheLineExhaustedError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The number of times the request was sent again.
    public let repeats: Int
    /// The status code of the last response.
    public let statusCode: Int

    package init(repeats: Int, statusCode: Int) {
        self.repeats = repeats
        self.statusCode = statusCode
    }

    /// A description of the error.
    public var description: String {
        "StopTheLine sent the request again \(repeats) times without success; the last status was \(statusCode)"
    }
}

extension StopTheLineExhaustedError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
