// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// An error for a conditional write that was not sent; it reaches the caller in ``/SimorghCore/NetworkError/responseError(_:)``.
public struct EntityTagError: NonRetriableError, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// No strong tag of the resource is known: none was read, or the server sends none or a weak one.
        case noStrongTag
        /// The request would go to another origin than the one that the tag belongs to.
        case anotherOrigin
        /// A redirect leads an update to another resource than the one that was read.
        case anotherResource
    }

    /// The kind of fault.
    public let reason: Reason
    /// The URL of the request that was not sent, without its query.
    public let url: String

    init(_ reason: Reason, url: String) {
        self.reason = reason
        self.url = RedactedURL.withoutQuery(RedactedURL.withoutCredentials(url))
    }

    /// A message that describes the fault and the remedy.
    public var description: String {
        switch reason {
        case .noStrongTag:
            "no strong ETag of \(url) is known, which a conditional write needs: read the resource first, and make sure"
                + " that its server sends a strong ETag"
        case .anotherOrigin:
            "a conditional write leads to another origin, \(url), where the entity tag has no meaning"
        case .anotherResource:
            "an update was redirected to \(url), which is not the resource that was read: update that URL itself"
        }
    }
}

extension EntityTagError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
