// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghSupport
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The trust of background sessions: which options apply to a challenge, and which tasks belong to them.
@Suite(.timeLimit(.minutes(5)))
struct BackgroundTrustTests {
    private static let server = "NSURLAuthenticationMethodServerTrust"
    private static let certificate = "NSURLAuthenticationMethodClientCertificate"
    private static let pin = "sha256/" + String(repeating: "A", count: 43) + "="

    private static func options(_ change: (inout TLSOptions) -> Void) -> TLSOptions {
        var options = TLSOptions()
        change(&options)
        return options
    }

    private static func pinned(_ host: String = "a.test") -> TLSOptions {
        options { $0.pins = [TLSPins(host: host, keys: [pin], needsBackup: false)] }
    }

    // MARK: The key

    @Test("The key is that of the contents: equal for equal options, and different for each other option")
    func keys() throws {
        let archive = TemporaryFile(Data([1, 2, 3]))
        let changes: [(inout TLSOptions) -> Void] = [
            { $0.trust = .only([]) }, { $0.trust = .only([.file("/nowhere")]) },
            { $0.pins = [TLSPins(host: "a.test", keys: [Self.pin], needsBackup: false)] },
            { $0.pins = [TLSPins(host: "b.test", keys: [Self.pin], needsBackup: false)] },
            { $0.minimumVersion = .tls13 }, { $0.maximumVersion = .tls12 },
            { $0.evaluation = .afterVerification { _ in } }, { $0.evaluation = .unsafeInsteadOfVerification { _ in } },
            { $0.identity = TLSIdentity(pkcs12: .data(Data([1, 2, 3])), passphrase: "a") },
            { $0.identity = TLSIdentity(pkcs12: .data(Data([4])), passphrase: "a") },
            { $0.rules = [TLSRule(host: "a.test", options: Self.options { $0.minimumVersion = .tls13 })] },
        ]
        #expect(BackgroundTrust().key == nil)
        let keys = changes.map { BackgroundTrust(Self.options($0)).key }
        #expect(Set(keys).count == changes.count && !keys.contains(nil))
        #expect(keys == changes.map { BackgroundTrust(Self.options($0)).key })
        let fromFile = Self.options { $0.identity = TLSIdentity(pkcs12: .file(archive.path), passphrase: "a") }
        #expect(BackgroundTrust(fromFile).key == keys[8])
    }

    @Test("Only options that an answer needs make the delegate answer challenges")
    func answers() {
        #expect(!BackgroundTrust(Self.options { $0.minimumVersion = .tls13 }).answersChallenges)
        #expect(BackgroundTrust(Self.pinned()).answersChallenges)
        let rule = TLSRule(host: "a.test", options: Self.options { $0.trust = .only([]) })
        #expect(BackgroundTrust(Self.options { $0.rules = [rule] }).answersChallenges)
    }

    // MARK: Challenges

    private struct Outcome {
        let disposition: URLSession.AuthChallengeDisposition
        let reported: TransportError?
        /// The trust that the verification or the identity got.
        let trust: SessionTrust?
    }

    /// Answers a challenge of a task for `https://a.test/file`; the server is trusted if the pins are not those above.
    private static func answer(
        _ options: TLSOptions, method: String = server, isProxy: Bool = false, host: String = "a.test", port: Int = 443,
        url: String = "https://a.test/file"
    ) async throws -> Outcome {
        let used = Mutex<SessionTrust?>(nil)
        let reported = Mutex<TransportError?>(nil)
        let make: BackgroundChallenge.MakeCredential = { (trust) throws(TransportError) in
            used.withLock { $0 = trust }
            if !trust.options.pins.isEmpty {
                try trust.judge(host, verified: { () throws(SystemTrustError) in [[1]] }, sent: { [] })
            }
            return URLCredential(user: "", password: "", persistence: .none)
        }
        let (answers, continuation) = AsyncStream.makeStream(of: URLSession.AuthChallengeDisposition.self)
        BackgroundChallenge(method: method, isProxy: isProxy, host: host, port: port, url: URL(string: url)).answer(
            by: BackgroundTrust(options), verifyServer: make, presentIdentity: make,
            report: { error in reported.withLock { $0 = error } },
            completion: { disposition, _ in continuation.yield(disposition) })
        var iterator = answers.makeAsyncIterator()
        let disposition = try #require(await iterator.next())
        return Outcome(
            disposition: disposition, reported: reported.withLock { $0 }, trust: used.withLock { $0 })
    }

    @Test("With default options, the system answers; passwords are never sent")
    func defaults() async throws {
        #expect(try await Self.answer(TLSOptions()).disposition == .performDefaultHandling)
        #expect(try await Self.answer(Self.pinned(), isProxy: true).disposition == .performDefaultHandling)
        let basic = try await Self.answer(Self.pinned(), method: "NSURLAuthenticationMethodHTTPBasic")
        #expect(basic.disposition == .rejectProtectionSpace && basic.trust == nil)
    }

    @Test("A server without a pinned key is refused with the error of TLS, before the answer")
    func notPinned() async throws {
        let outcome = try await Self.answer(Self.pinned())
        #expect(outcome.disposition == .cancelAuthenticationChallenge)
        #expect(outcome.reported?.tlsFailure == .notPinned)
        #expect(try await Self.answer(Self.pinned("b.test")).disposition == .useCredential)
    }

    @Test("Options that cannot be used refuse the server instead of leaving it to the system")
    func unusable() async throws {
        for options in [
            Self.options { $0.trust = .only([.file("/nowhere/root.pem")]) },
            Self.options { $0.pins = [TLSPins(host: "a.test", keys: [])] },
        ] {
            let outcome = try await Self.answer(options)
            #expect(outcome.disposition == .cancelAuthenticationChallenge && outcome.trust == nil)
            #expect(outcome.reported?.underlying is TLSOptionsError)
        }
    }

    @Test("The rules are those of the host of the challenge", arguments: ["b.test", "B.TEST", "b.test."])
    func rules(host: String) async throws {
        let options = Self.options {
            $0.pins = [TLSPins(host: "*", keys: [Self.pin], needsBackup: false)]
            $0.rules = [TLSRule(host: "b.test", options: Self.options { $0.trust = .only([]) })]
        }
        #expect(try await Self.answer(options).disposition == .cancelAuthenticationChallenge)
        let other = try await Self.answer(options, host: host)
        #expect(other.disposition == .useCredential && other.trust?.options.trust == .only([]))
    }

    @Test("After a redirect to another origin, only an identity of a rule is presented")
    func identity() async throws {
        let own = TLSIdentity(pkcs12: .data(Data([1])), passphrase: "a")
        let ruled = TLSIdentity(pkcs12: .data(Data([2])), passphrase: "a")
        let options = Self.options {
            $0.identity = own
            $0.rules = [TLSRule(host: "b.test", options: Self.options { $0.identity = ruled })]
        }
        func identity(host: String = "a.test", port: Int = 443, url: String = "https://A.test/file") async throws
            -> TLSIdentity?
        {
            let outcome = try await Self.answer(
                options, method: Self.certificate, host: host, port: port, url: url)
            #expect((outcome.disposition == .useCredential) == (outcome.trust != nil))
            return outcome.trust?.options.identity
        }
        #expect(try await identity() == own)
        #expect(try await identity(url: "https://a.test:443/") == own)
        #expect(try await identity(port: 8443) == nil)
        #expect(try await identity(url: "http://a.test/") == nil)
        #expect(try await identity(url: "") == nil)
        #expect(try await identity(host: "c.test") == nil)
        #expect(try await identity(host: "b.test") == ruled)
    }

    // MARK: Other names of a certificate

    @Test("The names of a certificate are read, wildcards among them")
    func names() async throws {
        let files = try await TLSPeerFiles.ask(over: URLSessionTransport())
        func names(_ file: String) throws -> [String] {
            CertificateNames.names(of: try #require(try files.certificates("\(file).pem").first))
        }
        #expect(try names("good") == ["localhost"])
        #expect(try names("wildcard") == ["*.birds.test"])
        #expect(try names("partial").count == 4)
        #expect(try names("otherkinds") == ["127.0.0.1"])
        #expect(try names("commonname").isEmpty && names("root").isEmpty)
        #expect(CertificateNames.names(of: []).isEmpty && CertificateNames.names(of: [0x30, 0x82]).isEmpty)
        let whole = try #require(try files.certificates("partial.pem").first)
        for count in whole.indices { _ = CertificateNames.names(of: Array(whole.prefix(count))) }
    }

    @Test("A certificate for one host is judged for the other hosts that it names, whose tasks may use the connection")
    func otherNames() async throws {
        let files = try await TLSPeerFiles.ask(over: URLSessionTransport())
        let chain = try files.certificates("wildcard.pem")
        let keys = try files.pins("good").keys
        func reason(_ options: TLSOptions, host: String = "www.birds.test") throws -> TLSError.Reason? {
            let trust = try BackgroundTrust(options).trust(for: host, isOtherOrigin: false)
            do {
                try trust.judge(host, verified: { () throws(SystemTrustError) in chain }, sent: { chain })
                return nil
            } catch {
                #expect(error.message.contains("is for"))
                return error.tlsFailure
            }
        }
        let exact = Self.options { $0.pins = [TLSPins(host: "api.birds.test", keys: keys)] }
        #expect(try reason(exact) == .notPinned)
        let below = Self.options { $0.pins = [TLSPins(host: "*.birds.test", keys: keys)] }
        let own = Self.options {
            $0.rules = [TLSRule(host: "www.birds.test", options: TLSOptions())] + [TLSRule(host: "*", options: below)]
        }
        #expect(try reason(own) == .notPinned)
        let roots = Self.options {
            $0.rules = [TLSRule(host: "api.birds.test", options: Self.options { $0.trust = .only([]) })]
        }
        #expect(try reason(roots) == .refused)
        let elsewhere = Self.options {
            $0.pins = [TLSPins(host: "api.fish.test", keys: keys)]
            $0.rules = [TLSRule(host: "fish.test", options: Self.options { $0.trust = .only([]) })]
        }
        #expect(try reason(elsewhere) == nil)
        let evaluated = Self.options {
            $0.evaluation = .afterVerification { if $0.host != "www.birds.test" { throw CancellationError() } }
        }
        #expect(try reason(evaluated) == .refused)
        #expect(try reason(Self.options { $0.evaluation = .afterVerification { _ in } }) == nil)
    }

    // MARK: Tasks of other trust

    @Test(
        "A task of other TLS options is cancelled and starts over; its late file is not used", arguments: [true, false])
    func otherTask(isLate: Bool) async throws {
        let fixture = BackgroundFixture()
        let order = BackgroundOrder(id: UUID(), url: "https://a.test/file")
        let old = fixture.system.add(order, state: .running)
        if isLate { fixture.system.complete(old) }
        let process = fixture.process(tls: Self.pinned())
        _ = process.order(id: order.id)
        let call = await process.call(order)
        #expect(fixture.system.cancelled == (isLate ? [] : [old]) && fixture.system.started == [2])
        fixture.system.deliverAll()
        #expect(process.files(of: order.id).isEmpty && fixture.system.files.isEmpty)
        fixture.system.complete(2)
        fixture.system.deliverAll()
        _ = try await call.value.get()
    }

    @Test("A task of the same TLS options is joined after a restart")
    func sameTask() async throws {
        let fixture = BackgroundFixture()
        let first = fixture.process(tls: Self.pinned())
        let order = first.order()
        let lost = await first.call(order)
        fixture.system.kill()
        lost.cancel()
        _ = await lost.value
        let second = fixture.process(tls: Self.pinned())
        let call = await second.call(order)
        #expect(fixture.system.started == [1] && fixture.system.cancelled.isEmpty)
        fixture.system.complete(1)
        fixture.system.deliverAll()
        _ = try await call.value.get()
    }

    @Test("A kept response and resume data of other TLS options are not used")
    func otherFiles() async throws {
        let fixture = BackgroundFixture()
        let first = fixture.process()
        let (kept, paused) = (first.order("https://a.test/1"), first.order("https://a.test/2"))
        _ = await first.call(kept)
        fixture.system.complete(1)
        fixture.system.deliverAll()
        let call = await first.call(paused)
        call.cancel()
        _ = await call.value
        // The call ends before its task is stopped.
        first.transfers.flush()
        fixture.system.finishStopping(2)
        first.transfers.flush()
        #expect(first.files(of: kept.id).count == 2 && first.files(of: paused.id) == [".resume"])
        fixture.system.kill()
        let second = fixture.process(tls: Self.pinned())
        let calls = [await second.call(kept), await second.call(paused)]
        #expect(fixture.system.started == [1, 2, 3, 4] && fixture.system.task(4)?.isResumed == false)
        #expect(second.files(of: kept.id).isEmpty && second.files(of: paused.id).isEmpty)
        for call in calls { call.cancel() }
        for call in calls { _ = await call.value }
    }

    @Test("A refused server ends the call with its error, also if the task ends as cancelled")
    func refused() async throws {
        let fixture = BackgroundFixture()
        let process = fixture.process(tls: Self.pinned())
        let call = await process.call(process.order())
        let refusal = BackgroundRefusal(
            TransportError(.serverCertificateUntrusted, phase: .tls, message: "no", underlying: TLSError(.notPinned)))
        fixture.system.fail(1, code: -999, refusal: refusal)
        fixture.system.deliverAll()
        guard case .failure(let error) = await call.value else {
            Issue.record("the call did not fail")
            return
        }
        #expect(error == .refused(refusal) && error.transportError.tlsFailure == .notPinned)
        #expect(fixture.system.started == [1] && process.transfers.isIdle)
    }
}
