// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOCore
import NIOPosix
import NIOSSL
import SimorghCore
import SimorghNIO
import SimorghSupport
import TestSupport
import Testing

/// The verification by the system, as on Apple platforms, with a check in place of the system's.
@Suite("PeerVerification by the system", .timeLimit(.minutes(5)))
struct SystemVerificationTests {
    private struct Outcome: Sendable {
        var isVerified: Bool
        var systemError: TransportError?
        var isForOtherHost: Bool
        /// The error after the handshake.
        var error: TransportError?
    }

    private static func verify(
        _ name: String, host: String = "localhost", ignoring unreadable: String? = nil,
        failure: SystemTrustError? = nil,
        _ change: (TLSPeerFiles, inout TLSOptions) throws -> Void = { _, _ in }
    ) async throws -> Outcome {
        let files = try await TLSPeerFiles.ask(over: NIOTransport())
        let ignored = try unreadable.map { try files.certificates("\($0).pem").prefix(1) } ?? []
        let sent: [[UInt8]] = try ignored + files.certificates("\(name).pem")
        let root = try files.certificates("root.pem")
        var made = TLSOptions()
        made.trust = .systemAnd([.file(files.path("root.pem"))])
        try change(files, &made)
        let options = made
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        return try await loop.flatSubmit {
            let verification = PeerVerification(options, host: host)
            let promise = loop.makePromise(of: NIOSSLVerificationResult.self)
            do {
                let certificates = try sent.map { try NIOSSLCertificate(bytes: $0, format: .der) }
                verification.verify(
                    certificates,
                    by: { certificates, roots in
                        if let failure { throw failure }
                        #expect(roots.includesSystem)
                        #expect(roots.certificates == root)
                        return certificates.dropFirst(ignored.count) + root
                    }, promise: promise)
                let bound = NIOLoopBound((verification, certificates.first), eventLoop: loop)
                return promise.futureResult.map { result in
                    let (verification, own) = bound.value
                    var outcome = Outcome(
                        isVerified: result == .certificateVerified, systemError: verification.systemError,
                        isForOtherHost: verification.isForOtherHost)
                    do throws(TransportError) {
                        try verification.finish(own)
                    } catch {
                        outcome.error = error
                    }
                    return outcome
                }
            } catch {
                return loop.makeFailedFuture(error)
            }
        }.get()
    }

    @Test("A pin matches any certificate of the system's chain", arguments: ["good", "middle", "root"])
    func pinned(name: String) async throws {
        let outcome = try await Self.verify("good") { $1.pins = [try $0.pins(name)] }
        #expect(outcome.isVerified)
        #expect(outcome.error == nil)
    }

    @Test("A chain without a pinned key is refused")
    func notPinned() async throws {
        let outcome = try await Self.verify("good") { $1.pins = [try $0.pins("expired")] }
        #expect(outcome.error?.tlsFailure == .notPinned)
    }

    @Test("A chain that the system does not trust fails the handshake with the system's reason")
    func untrusted() async throws {
        let outcome = try await Self.verify("expired", failure: SystemTrustError(status: -67_818, text: "expired"))
        #expect(!outcome.isVerified)
        #expect(outcome.systemError?.tlsFailure == .expired)
    }

    @Test("The name and the strength of keys and signatures are checked as on Linux, before the handshake ends")
    func rules() async throws {
        let other = try await Self.verify("wronghost")
        #expect(!other.isVerified && other.isForOtherHost)
        for name in ["weak", "sha1"] {
            let outcome = try await Self.verify(name)
            #expect(!outcome.isVerified, "\(name)")
            #expect(outcome.systemError == nil)
        }
    }

    @Test("A chain without the server's own certificate, which the system could not read, is refused")
    func otherChain() async throws {
        let outcome = try await Self.verify("good", ignoring: "wronghost")
        #expect(!outcome.isVerified)
        #expect(outcome.systemError?.message.contains("own certificate") == true)
    }

    @Test("An unreadable root fails the handshake with an error of the options")
    func roots() async throws {
        let outcome = try await Self.verify("good") { $1.trust = .systemAnd([.file("/nowhere/root.pem")]) }
        #expect(!outcome.isVerified)
        #expect((outcome.systemError?.underlying as? TLSOptionsError)?.reason == .file)
    }
}
