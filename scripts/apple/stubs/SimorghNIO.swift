// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// The types of the engine that its files for Apple platforms name and whose own files need all of NIO, for type-checking.
// Not part of Apple's SDK: a module of this project, so its declarations need no addresses of Apple's documentation.
import NIOCore
import NIOSSL
import SimorghCore
import SimorghSupport

final class PeerVerification {
    let options: TLSOptions
    weak var handler: NIOSSLClientHandler?

    init(_ options: TLSOptions) { self.options = options }

    func received(_ certificates: [NIOSSLCertificate]) {}
    func verify(
        _ certificates: [NIOSSLCertificate],
        by systemCheck: @escaping @Sendable ([[UInt8]], TrustedRoots) throws -> [[UInt8]],
        promise: EventLoopPromise<NIOSSLVerificationResult>) {}
    func check(_ result: NIOSSLVerificationResult, of certificate: NIOSSLCertificate) -> NIOSSLVerificationResult { result }
}

protocol Decompressor: AnyObject {}

struct InvalidContentCodingError: Error {
    let description: String
}

final class ZlibDecompressor: Decompressor {
    enum Format { case gzip, deflate }

    init(_ format: Format) {}
}
