// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghNetwork
import SimorghRealtime
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct NetworkConnectionPlanTests {
    private static let tls = NetworkConnectionError(.tls, code: -9807, description: "bad certificate")
    private static let handshake = NetworkConnectionError(.tls, code: -9824, description: "handshake failure")
    private static let refused = NetworkConnectionError(.posix, code: Int(ECONNREFUSED), description: "refused")
    private static let archive = TLSIdentity(pkcs12: .data(Data([1])), passphrase: "a")

    /// Makes a plan for `wss://birds.example`, with the judgement of the system.
    private static func plan(
        scheme: String = "wss", _ change: (inout TransportOptions) -> Void = { _ in }
    ) throws -> NetworkConnectionPlan {
        var request = PipePeer.request
        request.head.scheme = scheme
        change(&request.options)
        return try NetworkConnectionPlan(UpgradeTarget(request), options: request.options, verify: nil)
    }

    /// Makes a plan with another judgement.
    private static func plan(
        judgedBy verify: @escaping NetworkConnectionPlan.Verify, _ change: (inout TransportOptions) -> Void
    ) throws -> NetworkConnectionPlan {
        var request = PipePeer.request
        request.head.scheme = "wss"
        change(&request.options)
        return try NetworkConnectionPlan(UpgradeTarget(request), options: request.options, verify: verify)
    }

    /// A judgement that trusts no server.
    private static let distrust: NetworkConnectionPlan.Verify = { _, _, _ in
        TransportError(.serverCertificateUntrusted, phase: .tls, message: "not trusted")
    }

    @Test("A plan takes names, versions and limits")
    func names() throws {
        #expect(try Self.plan(scheme: "ws").tls == nil)
        let plan = try Self.plan {
            $0.tls.minimumVersion = .tls13
            $0.tls.serverName = "other.example"
        }
        #expect(plan.tls?.serverName == "other.example" && plan.tls?.versions.minimum == 0x0304)
        #expect(plan.host == "birds.example" && plan.port == 443 && plan.limit == .seconds(20))
        #expect(plan.proxy == SystemProxy.system && plan.info.proxy == nil)
    }

    @Test("A judgement decides with the options for the host, and its error is that of the connection")
    func judged() throws {
        let roots: (inout TransportOptions) -> Void = {
            $0.tls.serverName = "other.example"
            $0.tls.additionalRoots = ["root"]
        }
        #expect(throws: TransportError.self) { try Self.plan(roots) }
        let plan = try Self.plan(
            judgedBy: { chain, host, options in
                chain.isEmpty || host != "other.example" || options.additionalRoots != ["root"]
                    ? Self.distrust(chain, host, options) : nil
            }, roots)
        #expect(plan.tls?.judgement?.trusts([[1]]) == true)
        #expect(plan.error(.failed(Self.handshake)).code == .secureConnectionFailed)
        #expect(plan.tls?.judgement?.trusts([]) == false)
        #expect(plan.error(.failed(Self.tls)).code == .serverCertificateUntrusted)
    }

    @Test("A judgement replaces that of the system only for options that need it, and the rules for networks are kept")
    func judgement() throws {
        let plan = try Self.plan(judgedBy: Self.distrust) {
            $0.tls.maximumVersion = .tls12
            $0.tls.identity = Self.archive
            $0.access.allowsExpensive = false
        }
        #expect(plan.tls != nil && plan.tls?.judgement == nil)
        #expect(!plan.access.allowsExpensive && plan.access.allowsCellular)
    }

    @Test("A connection with a judgement or a client certificate resumes no TLS session, which would skip both")
    func resumption() throws {
        #expect(try Self.plan().tls?.allowsResumption == true)
        #expect(try Self.plan { $0.tls.minimumVersion = .tls13 }.tls?.allowsResumption == true)
        #expect(try Self.plan { $0.tls.identity = Self.archive }.tls?.allowsResumption == false)
        let judged = try Self.plan(judgedBy: Self.distrust) { $0.tls.evaluation = .afterVerification { _ in } }
        #expect(judged.tls?.allowsResumption == false)
    }

    @Test("Options that Network.framework cannot keep are refused by name, with the way out")
    func refusals() {
        let changes: [String: @Sendable (inout TransportOptions) -> Void] = [
            "route.unixSocket": { $0.route.unixSocket = "/tmp/a" },
            "route.addresses": { $0.route.addresses = ["*:443": ["127.0.0.1"]] },
            "route.localAddress": { $0.route.localAddress = "127.0.0.1" },
            "route.proxy": { $0.route.proxy = .url("socks5://p") },
            "tls.identity": { $0.tls.identity = TLSIdentity(certificates: .text("")) },
            "option tls ": { $0.tls.trust = .only([]) },
        ]
        for (name, change) in changes {
            let error = #expect(throws: TransportError.self) { try Self.plan(change) }
            #expect(error?.message.contains(name) == true && error?.message.contains("SimorghNIO") == true)
            #expect(error?.requestMayHaveBeenSent == false)
        }
    }

    @Test("A proxy of the options is the connection's, unless its bypass list names the host, and errors name it")
    func proxies() throws {
        let plan = try Self.plan { $0.route.proxy = .url("http://zal:feather@p:3128") }
        #expect(plan.proxy.servers?.first?.port == 3128 && plan.info.proxy == "http://p:3128")
        let error = plan.error(.failed(Self.refused))
        #expect(error.message.hasSuffix("(through the proxy http://p:3128)"))
        #expect(plan.error(.cancelled).message == Self.plainError(.cancelled).message)
        #expect(try Self.plan { $0.route.proxy = .url("http://p", bypass: "birds.example") }.proxy == .direct)
        #expect(try Self.plan(scheme: "ws") { $0.route.proxy = .none }.proxy == .direct)
    }

    private static func plainError(_ failure: NetworkConnectionStateMachine.Failure) -> TransportError {
        failure.connecting(to: "birds.example", port: 443, limit: .seconds(20))
    }

    @Test("The rule of the current network is known only with rules and a monitor")
    func objection() async throws {
        let network = ScriptedNetwork(.connected(.cellular))
        #expect(try Self.plan { $0.monitor = network.monitor() }.objection == nil)
        #expect(try Self.plan { $0.access.allowsCellular = false }.objection == nil)
        let plan = try Self.plan {
            $0.monitor = network.monitor()
            $0.access.allowsCellular = false
        }
        #expect(await plan.objection?() == .cellular)
    }
}
