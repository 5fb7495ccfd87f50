// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghSupport
import SimorghURLSession
import TestSupport
import Testing

/// The judgement of certificate chains of Tests/Peers/tls.py, with a verification in place of Apple's.
@Suite("SessionTrust", .timeLimit(.minutes(5)))
struct SessionTrustTests {
    private struct Refusal: Error {}

    /// Judges the chain of the peer's good certificate.
    ///
    /// - Returns: The reason of the failure; `nil` if the server is trusted.
    private static func judge(
        failure: SystemTrustError? = nil, sent: [[UInt8]]? = nil,
        _ change: (TLSPeerFiles, inout TLSOptions) throws -> Void
    ) async throws -> TLSError.Reason? {
        let files = try await TLSPeerFiles.ask(over: URLSessionTransport())
        let chain = try files.certificates("good.pem") + files.certificates("root.pem")
        var options = TLSOptions()
        try change(files, &options)
        let trust = try SessionTrust(reading: options, for: "localhost")
        do {
            try trust.judge(
                "elsewhere.example",
                verified: { () throws(SystemTrustError) in
                    if let failure { throw failure }
                    return chain
                }, sent: { sent ?? chain })
            return nil
        } catch {
            #expect(error.phase == .tls)
            #expect(!error.requestMayHaveBeenSent)
            return error.tlsFailure
        }
    }

    @Test("A pin matches any certificate of the verified chain", arguments: ["good", "middle", "root"])
    func pinned(name: String) async throws {
        #expect(try await Self.judge { $1.pins = [try $0.pins(name)] } == nil)
    }

    @Test("A chain without a pinned key is refused, even if other pins match")
    func notPinned() async throws {
        #expect(try await Self.judge { $1.pins = [try $0.pins("expired")] } == .notPinned)
        #expect(try await Self.judge { $1.pins = [try $0.pins("good"), try $0.pins("expired")] } == .notPinned)
    }

    @Test("A chain that the system does not trust is refused, even if it is pinned")
    func untrusted() async throws {
        let failure = SystemTrustError(status: -67_818, text: "expired")
        #expect(try await Self.judge(failure: failure) { $1.pins = [try $0.pins("good")] } == .expired)
        #expect(try await Self.judge(failure: failure) { $1.evaluation = .afterVerification { _ in } } == .expired)
    }

    @Test("An evaluation after the verification receives the verified chain, and can reject it")
    func after() async throws {
        let seen = LockedValue<TLSPeer?>(nil)
        let reason = try await Self.judge { _, options in
            options.evaluation = .afterVerification { peer in seen.change { $0 = peer } }
        }
        #expect(reason == nil)
        #expect(seen.value?.host == "localhost")
        #expect(seen.value?.certificates.count == 3)
        #expect(try await Self.judge { $1.evaluation = .afterVerification { _ in throw Refusal() } } == .refused)
    }

    @Test("With unsafeInsteadOfVerification the system is not asked, and only the server's own key satisfies a pin")
    func instead() async throws {
        let failure = SystemTrustError(status: -67_843, text: "not trusted")
        for (name, reason) in [("good", nil), ("middle", .notPinned)] as [(String, TLSError.Reason?)] {
            let found = try await Self.judge(failure: failure) {
                $1.evaluation = .unsafeInsteadOfVerification { _ in }
                $1.pins = [try $0.pins(name)]
            }
            #expect(found == reason)
        }
    }

    @Test("The dot of an absolute name is not part of the name to verify")
    func absoluteName() throws {
        #expect(try SessionTrust(reading: TLSOptions(), for: "a.example.").host == "a.example")
    }

    @Test("The chain of another connection is judged with the roots, the pins and the evaluation of the options")
    func otherConnection() async throws {
        let files = try await TLSPeerFiles.ask(over: URLSessionTransport())
        let chain = try files.certificates("good.pem") + files.certificates("root.pem")
        func refusal(
            _ chain: [[UInt8]], failure: SystemTrustError? = nil, _ change: (inout TLSOptions) throws -> Void
        ) rethrows -> TransportError? {
            var options = TLSOptions()
            try change(&options)
            let judge = SessionTrust.judgement { [options] sent, host, roots throws(SystemTrustError) in
                #expect(host == "localhost" && roots == (try? options.readRoots()))
                if let failure { throw failure }
                return sent
            }
            return judge(chain, "localhost", options)
        }
        #expect(try refusal(chain) { $0.pins = [try files.pins("root")] } == nil)
        #expect(try refusal(chain) { $0.pins = [try files.pins("expired")] }?.tlsFailure == .notPinned)
        #expect(refusal(chain) { $0.evaluation = .afterVerification { _ in throw Refusal() } }?.tlsFailure == .refused)
        #expect(refusal([]) { _ in }?.phase == .tls)
        let expired = SystemTrustError(status: -67_818, text: "expired")
        #expect(try refusal(chain, failure: expired) { $0.pins = [try files.pins("good")] }?.tlsFailure == .expired)
        let unreadable = refusal(chain) { $0.trust = .only([.file("/nowhere/root.pem")]) }
        #expect((unreadable?.underlying as? TLSOptionsError)?.reason == .file)
    }

    @Test("A server without certificates is refused")
    func empty() async throws {
        #expect(try await Self.judge(sent: []) { $1.evaluation = .unsafeInsteadOfVerification { _ in } } == .other)
    }

    @Test("Roots are read from their files, and an unreadable root is an error of the options")
    func roots() async throws {
        let files = try await TLSPeerFiles.ask(over: URLSessionTransport())
        var options = TLSOptions()
        options.trust = .systemAnd([.file(files.path("root.pem"))])
        let trust = try SessionTrust(reading: options, for: nil)
        #expect(trust.roots.includesSystem && trust.roots.certificates.count == 1)
        options.trust = .only([.file(files.path("root.pem"))])
        options.additionalRoots = [try String(contentsOf: URL(filePath: files.path("oddroot.pem")), encoding: .utf8)]
        let only = try SessionTrust(reading: options, for: nil)
        #expect(!only.roots.includesSystem && only.roots.certificates.count == 2)
        options.trust = .only([.text("nothing")])
        let wrong = options
        let error = #expect(throws: TLSOptionsError.self) { try SessionTrust(reading: wrong, for: nil) }
        #expect(error?.reason == .certificate)
    }
}
