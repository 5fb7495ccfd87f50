// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import Simorgh

/// How the connections of a request are made.
package struct ConnectionDescription: Sendable, Equatable {
    /// The files of the client's certificate.
    package struct Identity: Sendable, Equatable {
        package var certificate: String
        package var key: String?
        package var passphrase: String?
    }

    package var identity: Identity?
    /// The pins, as they were given.
    package var pins: [String] = []
    package var oldestTLS = TLSOptions.Version.tls12
    package var newestTLS = TLSOptions.Version.tls13

    package init() {}

    /// The pins for whatever host is connected to; `nil` without any.
    package var pinning: TLSPins? { pins.isEmpty ? nil : TLSPins(host: "*", keys: pins, needsBackup: false) }

    /// Puts all of it into the options of TLS.
    package func apply(to tls: inout TLSOptions) {
        if let identity {
            tls.identity = TLSIdentity(
                certificates: .file(identity.certificate), key: identity.key.map { .file($0) },
                passphrase: identity.passphrase)
        }
        if let pinning { tls.pins = [pinning] }
        tls.minimumVersion = oldestTLS
        tls.maximumVersion = newestTLS
    }

    /// The same as arguments for curl.
    package var curlArguments: [String] {
        var arguments: [String] = []
        if let identity {
            let file = identity.certificate.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            arguments += ["--cert", file + (identity.passphrase.map { ":\($0)" } ?? "")]
            if let key = identity.key { arguments += ["--key", key] }
        }
        if !pins.isEmpty {
            let hashes = pins.map { pin in
                // The hash has 44 characters, and may begin with a slash.
                "sha256//" + pin.suffix(44)
            }
            arguments += ["--pinnedpubkey", hashes.joined(separator: ";")]
        }
        if oldestTLS == .tls13 { arguments.append("--tlsv1.3") }
        if newestTLS == .tls12 { arguments += ["--tls-max", "1.2"] }
        return arguments
    }
}
