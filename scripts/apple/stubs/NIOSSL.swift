// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of SwiftNIO's NIOSSL with the declarations that the engine's files for Apple platforms use, for type-checking; it is never
// run.
// Not part of Apple's SDK: a package, so its declarations need no addresses of Apple's documentation.
public import NIOCore

public final class NIOSSLContext: Sendable {}

public final class NIOSSLCertificate: Sendable {}

public enum NIOSSLVerificationResult: Sendable { case certificateVerified, failed }

public final class NIOSSLClientHandler {
    public init(context: NIOSSLContext, serverHostname: String?) throws { fatalError("a stub") }
    @available(*, deprecated)
    public init(
        context: NIOSSLContext, serverHostname: String?,
        verificationCallback: @escaping (NIOSSLVerificationResult, NIOSSLCertificate) -> NIOSSLVerificationResult
    ) throws { fatalError("a stub") }
    public init(
        context: NIOSSLContext, serverHostname: String?,
        customVerificationCallback: @escaping ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void
    ) throws { fatalError("a stub") }
}
