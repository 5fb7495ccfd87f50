// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import Testing

@Suite("NetworkAccess", .timeLimit(.minutes(5)))
struct NetworkAccessTests {
    private static func status(_ type: NetworkType, change: (inout NetworkStatus) -> Void = { _ in }) -> NetworkStatus {
        var status = NetworkStatus(.connected(type))
        status.source = .system
        change(&status)
        return status
    }

    @Test("Every network is allowed by default")
    func defaults() {
        let access = NetworkAccess()
        #expect(access.objection(to: Self.status(.cellular) { $0.isConstrained = true }) == nil)
    }

    @Test("Cellular networks are forbidden by name, also below a VPN")
    func cellular() {
        var access = NetworkAccess()
        access.allowsCellular = false
        #expect(access.objection(to: Self.status(.cellular)) == .cellular)
        #expect(access.objection(to: Self.status(.vpn) { $0.underlyingType = .cellular }) == .cellular)
        #expect(access.objection(to: Self.status(.wifi)) == nil)
        // The system may not tell what is below a VPN.
        #expect(access.objection(to: Self.status(.vpn) { $0.isExpensive = true }) == .cellular)
        #expect(access.objection(to: Self.status(.vpn)) == nil)
    }

    @Test("A cellular network that an attempt would bring up is forbidden as well")
    func onDemand() {
        var access = NetworkAccess()
        access.allowsCellular = false
        var status = NetworkStatus(.disconnected)
        (status.connectsOnDemand, status.underlyingType) = (true, .cellular)
        #expect(access.objection(to: status) == .cellular)
        status.underlyingType = .wifi
        #expect(access.objection(to: status) == nil)
    }

    @Test("Expensive and constrained networks are forbidden each by its own rule")
    func others() {
        var access = NetworkAccess()
        access.allowsExpensive = false
        #expect(access.objection(to: Self.status(.wifi) { $0.isExpensive = true }) == .expensive)
        #expect(access.objection(to: Self.status(.wifi) { $0.isConstrained = true }) == nil)
        access = NetworkAccess()
        access.allowsConstrained = false
        #expect(access.objection(to: Self.status(.wifi) { $0.isConstrained = true }) == .constrained)
        #expect(access.objection(to: Self.status(.wifi) { $0.isExpensive = true }) == nil)
    }

    @Test("Without a network, or without knowledge of it, nothing is forbidden")
    func unknown() {
        var access = NetworkAccess()
        (access.allowsCellular, access.allowsExpensive, access.allowsConstrained) = (false, false, false)
        #expect(access.objection(to: NetworkStatus(.disconnected)) == nil)
        #expect(access.objection(to: Self.status(.cellular) { $0.source = .unavailable }) == nil)
    }

    @Test("The error names the setting")
    func text() {
        #expect(
            NetworkAccessError(.constrained).description
                == "the current network is constrained, and access.allowsConstrained is false")
    }
}
