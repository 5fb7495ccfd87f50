// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
public import SimorghSupport

/// A request was sent again for a ``StopTheLine`` as often as it may be, and the answer was still not the one wanted.
public struct StopTheLineExhausted: Error, Sendable, Hashable, CustomStringConvertible {
    /// How often it was sent again.
    public let repeats: Int
    /// The status of the last response.
    public let statusCode: Int

    package init(repeats: Int, statusCode: Int) {
        self.repeats = repeats
        self.statusCode = statusCode
    }

    /// What happened.
    public var description: String {
        "the line was not satisfied after the request had been sent again \(repeats) times; the last status was \(statusCode)"
    }
}

extension StopTheLineExhausted: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
