// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// A sign-in that the user completes on another device (RFC 8628).
public struct DeviceAuthorization: Sendable {
    /// The code that the user enters; printable ASCII.
    public let userCode: String
    /// The URL that the user opens on another device: `https`, or of this machine.
    public let verificationURL: String
    /// The URL with the code in it, for a QR code; `nil` if the server sent none.
    public let completeVerificationURL: String?
    /// The date at which the code expires.
    public let expiration: Date

    let deviceCode: String
    let interval: Duration
    let deadline: Deadline
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The URL, without the codes.
    public var description: String { "sign-in at \(RedactedURL.withoutQuery(verificationURL))" }

    /// The URL, without the codes.
    public var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the codes.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
