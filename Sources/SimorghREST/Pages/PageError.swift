// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The reason why an iteration over pages ended early: the ``/SimorghCore/NetworkError/underlyingError`` that it throws.
public struct PageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why the list is incomplete.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// The page has another scheme, host or port, and ``PageOptions/allowedOrigins`` does not list them.
        case otherOrigin
        /// The URL of the page is invalid, too long, of another scheme than HTTP, or has a user name; or its query is too
        /// long.
        case invalidURL
        /// The page has more links than are read, and none of those that were read leads to the next page.
        case incompleteLinks
        /// The same page was requested before.
        case loop
        /// The list has more pages than ``PageOptions/maximumPages``.
        case tooManyPages
        /// The list has more items than ``PageOptions/maximumItems``.
        case tooManyItems
    }

    /// The reason.
    public let reason: Reason
    /// The URL of the page as the server wrote it; `nil` if the server sent no URL.
    ///
    /// The description does not include it, since it may hold a credential.
    public let next: String?
    /// A description of the failure.
    public let description: String

    package init(_ reason: Reason, next: String? = nil, message: String) {
        self.reason = reason
        self.next = next
        description = message
    }
}

extension PageError: LocalizedError {
    /// The error's description.
    public var errorDescription: String? { description }
}
