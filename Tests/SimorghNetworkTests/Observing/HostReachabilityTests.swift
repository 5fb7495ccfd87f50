// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import SimorghTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HostReachabilityTests {
    private static let gone = NetworkStatus(.disconnected)
    private static let there = NetworkStatus(.connected(.wifi))

    private static func isOut(
        _ host: String, _ known: NetworkStatus?, _ now: NetworkStatus, names: Set<String> = []
    ) -> Bool {
        HostReachability.isOutOfReach(host, known: known, names: { names }, now: { now })
    }

    @Test("A host is out of reach only if the monitor and the system agree")
    func outOfReach() {
        let (gone, there) = (Self.gone, Self.there)
        #expect(Self.isOut("example.com", gone, gone))
        #expect(Self.isOut("198.51.100.1", gone, gone))
        #expect(!Self.isOut("example.com", gone, there))
        #expect(!Self.isOut("example.com", there, gone))
        #expect(!Self.isOut("example.com", nil, gone))
        // A network without internet access may have local names.
        let lan = KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
        #expect(!Self.isOut("example.com", lan, lan))
        #expect(HostReachability.explainsFailure(for: "example.com") { lan })
        #expect(!HostReachability.explainsFailure(for: "example.com") { there })
        #expect(!HostReachability.explainsFailure(for: "example.com") { UnavailableNetworkSource().current() })
        // An address in such a network is unreachable for another reason.
        #expect(!HostReachability.explainsFailure(for: "192.168.1.77") { lan })
        #expect(HostReachability.explainsFailure(for: "192.168.1.77") { gone })
    }

    @Test(
        "Loopback and the machine's own addresses are never out of reach",
        arguments: [
            "localhost", "LocalHost.", "a.localhost", "127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::",
            "::ffff:127.0.0.1", "::ffff:10.0.0.1", "10.0.0.1", "fd00::1",
        ])
    func thisMachine(host: String) {
        var gone = Self.gone
        gone.interfaces = [
            NetworkInterface(
                name: "lo", kind: .loopback, addresses: ["127.0.0.1", "::1", "10.0.0.1", "fd00::1"]),
            NetworkInterface(name: "eth0", kind: .ethernet, isRunning: false, addresses: ["192.168.1.8"]),
        ]
        #expect(gone.isIsolated)
        #expect(!Self.isOut(host, gone, gone))
        #expect(!HostReachability.explainsFailure(for: host) { gone })
        #expect(Self.isOut("192.168.1.8", gone, gone))
    }

    /// A device that is up with link-local addresses only, as on a cable between two machines.
    private static var link: NetworkStatus {
        KernelNetworkSnapshot([.ethernet("eth0", addresses: "169.254.3.4", "fe80::2")]).status
    }

    @Test(
        "Link-local hosts are in reach over a cable without a network, other hosts are not",
        arguments: [
            ("169.254.7.7", true), ("fe80::9", true), ("fe80::9%eth0", true), ("camera.local", true),
            ("Camera.local.", true), ("192.168.1.77", false), ("example.com", false), ("2001:db8::1", false),
        ])
    func onLink(host: String, isOnLink: Bool) {
        #expect(Self.link.isIsolated)
        #expect(Self.isOut(host, Self.link, Self.link) == !isOnLink)
        #expect(HostReachability.explainsFailure(for: host) { Self.link } == !isOnLink)
        // Without a cable there is no link-local host.
        #expect(Self.isOut(host, Self.gone, Self.gone))
        #expect(HostReachability.explainsFailure(for: host) { Self.gone })
    }

    @Test(
        "An unreachable host in a network without internet access is unreachable for another reason",
        arguments: ["192.168.1.77", "fd00::7", "fe80::9", "fe80::9%eth0", "printer.local", "intranet"])
    func inNetwork(host: String) {
        let lan = KernelNetworkSnapshot([.ethernet("eth0", addresses: "192.168.1.8")]).status
        #expect(!lan.isConnected && !lan.isIsolated)
        #expect(!HostReachability.explainsFailure(for: host) { lan })
        #expect(!Self.isOut(host, lan, lan))
    }

    @Test("A name in the hosts file is looked up")
    func ownNames() {
        let names = SystemFiles.hostNames(
            in: "127.0.0.1 localhost\n# 127.0.0.2 no\n127.0.1.1\tDesk desk.example # mine\n\nx\n")
        #expect(names == ["localhost", "desk", "desk.example"])
        #expect(!Self.isOut("DESK", Self.gone, Self.gone, names: names))
        #expect(!Self.isOut("desk.example.", Self.gone, Self.gone, names: names))
        #expect(Self.isOut("other.example", Self.gone, Self.gone, names: names))
    }

    @Test("Only the given monitor is asked")
    func monitors() {
        let network = ScriptedNetwork(.disconnected)
        let monitor = network.monitor()
        #expect(!HostReachability.isOutOfReach("example.com", by: nil))
        #expect(!HostReachability.explainsFailure(for: "example.com", by: nil))
        // A monitor that does not watch knows nothing in advance.
        #expect(!HostReachability.isOutOfReach("example.com", by: monitor))
        #expect(HostReachability.explainsFailure(for: "example.com", by: monitor))
        monitor.startMonitoring()
        #expect(HostReachability.isOutOfReach("example.com", by: monitor))
        #expect(HostReachability.mayBeOutOfReach("example.com", by: monitor))
        #expect(!HostReachability.isOutOfReach("127.0.0.1", by: monitor))
        #expect(!HostReachability.mayBeOutOfReach("127.0.0.1", by: monitor))
        network.become(.connected(.wifi))
        #expect(!HostReachability.isOutOfReach("example.com", by: monitor))
        #expect(!HostReachability.explainsFailure(for: "example.com", by: monitor))
    }

    @Test(
        "isNearby detects local names and addresses",
        arguments: [
            ("localhost", true), ("api.localhost:80", true), ("127.0.0.1:8080", true), ("[::1]:80", true),
            ("0.0.0.0:8080", true), ("[::]:80", true), ("[::ffff:127.0.0.1]", true), ("[::ffff:198.41.0.4]", false),
            ("10.0.0.1", true), ("printer.local", true), ("intranet", true), ("[fe80::1]", true),
            ("example.com", false), ("198.41.0.4:443", false), ("[2001:db8::1]:443", false),
            ("local.example.com", false),
        ])
    func nearby(host: String, isNearby: Bool) {
        #expect(HostReachability.isNearby(host: host) == isNearby)
    }
}
