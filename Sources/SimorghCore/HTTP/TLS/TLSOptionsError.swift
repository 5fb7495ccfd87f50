// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// An error for unusable TLS options, thrown before a connection is opened.
///
/// It is the cause of an error with the code `secureConnectionFailed`.
public struct TLSOptionsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A kind of fault.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// A file cannot be read.
        case file
        /// A certificate is missing.
        case certificate
        /// A private key is missing.
        case key
        /// The passphrase is wrong, or missing.
        case passphrase
        /// The key does not belong to the certificate.
        case keyMismatch
        /// A pin is not a SHA-256 hash.
        case pin
        /// There is only one pin, and no backup.
        case backupPin
        /// A pattern is not a valid host pattern.
        case hostPattern
        /// The server name is not a valid host.
        case serverName
        /// The oldest version is newer than the newest.
        case versions
    }

    /// The kind of fault.
    public let reason: Reason
    /// A sentence for a person that describes the fault; contains no secret.
    public let message: String

    package init(_ reason: Reason, message: String) {
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension TransportError {
    /// Creates the error for options that prevent a connection from being opened.
    package init(_ invalid: TLSOptionsError) {
        self.init(
            .secureConnectionFailed, phase: .tls, message: "the TLS options are not usable: \(invalid.message)",
            requestMayHaveBeenSent: false, underlying: invalid)
    }
}
