// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghURLSession
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ChallengeAnswerTests {
    private typealias Disposition = URLSession.AuthChallengeDisposition

    private static let basic = "NSURLAuthenticationMethodHTTPBasic"
    private static let server = "NSURLAuthenticationMethodServerTrust"
    private static let untrusted = TransportError(
        .serverCertificateUntrusted, phase: .tls, message: "", requestMayHaveBeenSent: false)

    /// The answer to a challenge, and the reported reason.
    private struct Outcome {
        let disposition: Disposition
        let hasCredential: Bool
        let reported: TransportError.Code?
        /// The quality of service of the verification; `nil` if there was no verification.
        let quality: QualityOfService?
    }

    /// Answers a challenge; the users' delegate has the methods that `ask` handles.
    private static func answer(
        _ method: String, isProxy: Bool = false, judged: Bool = false, verifies: Bool = true,
        asking ask: (ChallengeDecision.DelegateMethod, @escaping ChallengeAnswer.Completion) -> Void? = { _, _ in nil }
    ) async throws -> Outcome {
        var options = TLSOptions()
        if judged { options.trust = .only([]) }
        let trust = try SessionTrust(reading: options, for: "a.example")
        let reported = Mutex<TransportError.Code?>(nil)
        let quality = Mutex<QualityOfService?>(nil)
        let makeServer: ChallengeAnswer.MakeCredential = { () throws(TransportError) in
            quality.withLock { $0 = OperationQueue.current?.qualityOfService }
            guard verifies else { throw Self.untrusted }
            return URLCredential(user: "server", password: "", persistence: .none)
        }
        let makeIdentity: ChallengeAnswer.MakeCredential = { () throws(TransportError) in throw Self.untrusted }
        let (answers, continuation) = AsyncStream.makeStream(of: (Disposition, Bool).self)
        // The reason is reported before the answer.
        let answer = ChallengeAnswer(
            to: method, isProxy: isProxy, host: "a.example", trust: trust, verifyServer: makeServer,
            presentIdentity: makeIdentity, report: { error in reported.withLock { $0 = error.code } })
        answer.give(to: { continuation.yield(($0, $1 != nil)) }, asking: ask)
        var iterator = answers.makeAsyncIterator()
        let first = try #require(await iterator.next())
        return Outcome(
            disposition: first.0, hasCredential: first.1, reported: reported.withLock { $0 },
            quality: quality.withLock { $0 })
    }

    @Test("Without a delegate the trust of the session decides")
    func decisions() async throws {
        #expect(try await Self.answer(Self.basic).disposition == .rejectProtectionSpace)
        #expect(try await Self.answer(Self.basic, isProxy: true).disposition == .performDefaultHandling)
        #expect(try await Self.answer(Self.server).disposition == .performDefaultHandling)
    }

    @Test("A trusted server's challenge is answered with its credential")
    func trusted() async throws {
        let outcome = try await Self.answer(Self.server, judged: true)
        #expect(outcome.disposition == .useCredential)
        #expect(outcome.hasCredential && outcome.reported == nil)
    }

    @Test("The challenge of a server that is not trusted is cancelled after its error was reported")
    func untrusted() async throws {
        let outcome = try await Self.answer(Self.server, judged: true, verifies: false)
        #expect(outcome.disposition == .cancelAuthenticationChallenge)
        #expect(!outcome.hasCredential && outcome.reported == .serverCertificateUntrusted)
    }

    @Test("The first method that the delegate has answers; later ones are not called")
    func first() async throws {
        for (owned, calls) in [(ChallengeDecision.DelegateMethod.session, 1), (.task, 2)] {
            var called: [ChallengeDecision.DelegateMethod] = []
            let outcome = try await Self.answer(Self.server, judged: true) { method, answer in
                called.append(method)
                return method == owned ? answer(.cancelAuthenticationChallenge, nil) : nil
            }
            #expect(outcome.disposition == .cancelAuthenticationChallenge)
            #expect(outcome.reported == .serverCertificateUntrusted)
            #expect(called.count == calls && called.last == owned)
        }
    }

    @Test("The default handling of the delegate leaves the decision to the trust of the session")
    func defaultHandling() async throws {
        let outcome = try await Self.answer(Self.server, judged: true) { _, answer in
            answer(.performDefaultHandling, nil)
        }
        #expect(outcome.disposition == .useCredential && outcome.hasCredential)
    }

    @Test("The default handling of the delegate is final for Negotiate and NTLM: the system may have credentials")
    func singleSignOn() async throws {
        for method in ["NSURLAuthenticationMethodNegotiate", "NSURLAuthenticationMethodNTLM"] {
            let outcome = try await Self.answer(method) { _, answer in answer(.performDefaultHandling, nil) }
            #expect(outcome.disposition == .performDefaultHandling)
            #expect(try await Self.answer(method).disposition == .rejectProtectionSpace)
        }
    }

    @Test("Certificates are verified with the quality of service of work that the user waits for")
    func qualityOfService() async throws {
        #expect(try await Self.answer(Self.server, judged: true).quality == .userInitiated)
    }
}
