// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error for an inspector that cannot start.
public struct InspectorError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A kind of failure.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The program was built without `DEBUG`, as release builds are.
        case releaseBuild
        /// The port is not available, or is not a number from 0 to 65535.
        case portUnavailable
    }

    /// The kind of failure.
    public let reason: Reason
    private let message: String

    package init(_ reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// A sentence for a person that describes the failure, and what to do.
    public var description: String { message }
}

extension InspectorError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
