// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The types of the engine that its files for Apple platforms name and whose own files need all of NIO, for type-checking.
import NIOSSL
import SimorghCore

final class PeerVerification {
    let options: TLSOptions
    weak var handler: NIOSSLClientHandler?

    init(_ options: TLSOptions) { self.options = options }

    func received(_ certificates: [NIOSSLCertificate]) {}
    func check(_ result: NIOSSLVerificationResult, of certificate: NIOSSLCertificate) -> NIOSSLVerificationResult { result }
}
