// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// An access key of AWS, and what belongs to it.
///
/// No description, mirror or log shows the secret key and the session token.
public struct AWSCredentials: Sendable, Hashable {
    /// The access key ID, which is part of each signature.
    public let accessKeyID: String
    /// The secret access key, which is never sent.
    public let secretAccessKey: String
    /// The session token of temporary credentials, which is sent with each request; `nil` for permanent ones.
    public let sessionToken: String?
    /// The date from which the credentials are invalid; `nil` if they do not expire.
    public let expiration: Date?

    /// Creates credentials.
    ///
    /// - Parameters:
    ///   - accessKeyID: The access key ID.
    ///   - secretAccessKey: The secret access key.
    ///   - sessionToken: The session token of temporary credentials.
    ///   - expiration: The date from which they are invalid.
    public init(
        accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil, expiration: Date? = nil
    ) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.expiration = expiration
    }
}

extension AWSCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The access key ID, without secrets.
    public var description: String { "AWS credentials \(accessKeyID)" }

    /// The access key ID, without secrets.
    public var debugDescription: String { description }

    /// A mirror with the access key ID only, so that dumping a value does not reveal the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
}
