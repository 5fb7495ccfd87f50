// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// TLS options that cannot be used: the cause of an error with the code `secureConnectionFailed`, before anything is
/// dialled.
public struct InvalidTLSOptions: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong.
    @nonexhaustive
    public enum Reason: Sendable, Hashable {
        /// A file cannot be read.
        case file
        /// There is no certificate where one should be.
        case certificate
        /// There is no private key where one should be.
        case key
        /// The passphrase is wrong, or missing.
        case passphrase
        /// The key is not that of the certificate.
        case keyMismatch
        /// A pin is no SHA-256.
        case pin
        /// There is one pin only.
        case backupPin
        /// A pattern names no hosts.
        case hostPattern
        /// The server name is no host.
        case serverName
        /// No version is left between the oldest and the newest.
        case versions
    }

    /// What is wrong.
    public let reason: Reason
    /// What is wrong, in a sentence for a person; no secret.
    public let message: String

    package init(_ reason: Reason, _ message: String) {
        self.reason = reason
        self.message = message
    }

    /// The message.
    public var description: String { message }
}

extension TransportError {
    /// Options that nothing can be dialled with.
    package init(_ invalid: InvalidTLSOptions) {
        self.init(
            .secureConnectionFailed, phase: .tls, message: "the TLS options are not usable: \(invalid.message)",
            requestMayHaveBeenSent: false, underlying: invalid)
    }
}
