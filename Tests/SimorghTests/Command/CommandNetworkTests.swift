// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Foundation
import SimorghCommand
import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CommandNetworkTests {
    private struct Line: Decodable {
        var connected: Bool
        var type: String?
        var vpnActive: Bool
        var source: String
        var reachability: String
        var since: String
        var time: String?
        var interfaces: [Interface]
    }

    private struct Interface: Decodable {
        var name: String
        var addresses: [String]
    }

    @Test("simorgh network prints the status as text and as JSON")
    func prints() async throws {
        let text = try await CommandTool.run(["network"])
        #expect(text.status == 0)
        #expect(text.text.hasPrefix("connected through ") || text.text.hasPrefix("disconnected"))
        #expect(text.text.contains("\nVPN") && text.text.contains("  lo "))
        #expect(text.text.contains("\nreachability  unknown\n") && text.text.contains("\nsince         2"))
        let json = try await CommandTool.run(["network", "--json"])
        let line = try JSONDecoder().decode(Line.self, from: json.output)
        #expect(line.interfaces.contains { $0.name == "lo" })
        #expect(line.reachability == "unknown")
        #expect(line.since.hasPrefix("2") && line.since.contains("T"))
        #expect(line.time == nil)
    }

    @Test("network --watch prints the current status first, with a time, and exits after --count")
    func watches() async throws {
        let outcome = try await CommandTool.run(["network", "--watch", "--json", "--count", "1"])
        #expect(outcome.status == 0)
        let line = try JSONDecoder().decode(Line.self, from: outcome.output)
        #expect(line.time?.contains("T") == true)
        #expect(line.since.contains("T"))
    }

    @Test(
        "network rejects invalid arguments",
        arguments: [["--count", "1"], ["--watch", "--count", "0"], ["--record", "a", "--json"]])
    func refuses(arguments: [String]) async throws {
        let outcome = try await CommandTool.run(["network"] + arguments)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(arguments.contains("--record") ? "--record" : "--count"))
    }

    @Test(
        "NetworkPrinter.headline describes a status in one line",
        arguments: [
            (NetworkStatus(.disconnected), "disconnected"),
            (NetworkStatus(.connected(.wifi)), "connected through wifi (wifi0), IPv4"),
            (NetworkStatus(.connected(.vpn)), "connected through vpn (vpn0) over other, IPv4"),
        ])
    func headline(status: NetworkStatus, line: String) {
        #expect(NetworkPrinter.headline(status) == line)
    }

    @Test("NetworkPrinter.changeText includes the gateway, the name servers and the cost")
    func changeText() {
        var status = NetworkStatus(.connected(.cellular))
        #expect(NetworkPrinter.changeText(status) == "connected through cellular (cellular0), IPv4, expensive")
        status.gateways = ["192.0.2.1", "fe80::1"]
        status.dnsServers = ["192.0.2.53"]
        let line = NetworkPrinter.changeText(status)
        #expect(
            line == "connected through cellular (cellular0), IPv4, gateway 192.0.2.1 fe80::1, DNS 192.0.2.53, expensive"
        )
        status.reachability = .captivePortal
        #expect(NetworkPrinter.changeText(status) == line + ", captivePortal")
        status.connectivity = .disconnected
        #expect(NetworkPrinter.changeText(status) == "disconnected")
        status.unsatisfiedReason = .cellularDenied
        #expect(NetworkPrinter.changeText(status) == "disconnected, mobile data is turned off for this app")
        status.connectsOnDemand = true
        #expect(NetworkPrinter.changeText(status) == "disconnected, connects on demand")
    }

    @Test("network --record writes the inputs of the status, from which the same status is derived")
    func records() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "simorgh-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try await CommandTool.run(["network", "--record", file.path])
        #expect(outcome.status == 0 && outcome.text.isEmpty)
        let recording = try NetworkRecording(json: Data(contentsOf: file))
        #if os(Linux)
        #expect(recording.linux?.links.contains { $0.name == "lo" } == true)
        #endif
        #expect(recording.status.interfaces.contains { $0.kind == .loopback })
    }

    #if os(Linux)
    @Test("A request without a network reports so", arguments: ["http://example.com/", "http://198.51.100.1/"])
    func noNetwork(url: String) async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        let outcome = try await space.start(CommandTool.path, arguments: ["get", url]).outcome()
        #expect(outcome.status == 6)
        #expect(outcome.errors.contains("this machine has no network route to"))
    }

    @Test("An unreachable host is reported as unreachable, not as a missing network")
    func hostAway() async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        try await space.ip(Self.cable + ["route add default via 192.0.2.1", "route add unreachable 203.0.113.9"])
        let outcome = try await space.start(CommandTool.path, arguments: ["get", "http://203.0.113.9/"]).outcome()
        #expect(outcome.status != 0)
        #expect(outcome.errors.contains("203.0.113.9:80 cannot be reached"))
        #expect(!outcome.errors.contains("this machine has no network route"))
    }

    @Test("network --watch prints each change once, with its time")
    func tellsChanges() async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        try await space.ip(Self.cable)
        let program = try space.start(CommandTool.path, arguments: ["network", "--watch"])
        defer { program.signal(SIGTERM) }
        #expect(try await program.line().hasSuffix("  disconnected"))
        // A change that the printed line does not show prints no line.
        for number in 1...3 { try await space.ip("addr add 10.\(number).0.1/32 dev lo") }
        try await space.ip("route add default via 192.0.2.1")
        let line = try await program.line()
        #expect(line.contains("  connected through other (v0), IPv4, gateway 192.0.2.1"))
        #expect(line.prefix(20).contains("T"))
        try await space.ip("route replace default via 192.0.2.3")
        #expect(try await program.line().contains("  connected through other (v0), IPv4, gateway 192.0.2.3"))
        try await space.ip("route del default")
        #expect(try await program.line().hasSuffix("  disconnected"))
    }

    @Test("network --watch receives system notifications without privileges")
    func unprivileged() async throws {
        let tool = "/usr/bin/setpriv"
        // If the tests run as another user, all other tests already cover this.
        guard geteuid() == 0, FileManager.default.isExecutableFile(atPath: tool) else { return }
        guard let space = try await NetworkNamespace.make() else { return }
        let setprivOptions = ["--reuid=65534", "--regid=65534", "--clear-groups", "--no-new-privs"]
        let probe = try await CommandTool.run(setprivOptions + [CommandTool.path, "network", "--json"], program: tool)
        guard probe.status == 0 else {
            print("The unprivileged user cannot run the built command: \(probe.errors.prefix(200))")
            return
        }
        try await space.ip(Self.cable)
        let program = try space.start(
            tool, arguments: setprivOptions + [CommandTool.path, "network", "--watch", "--json"])
        defer { program.signal(SIGTERM) }
        var line = try Self.read(try await program.line())
        #expect(!line.connected && line.source == "system")
        try await space.ip("route add default via 192.0.2.1")
        while !line.connected { line = try Self.read(try await program.line()) }
        #expect(line.source == "system")
    }

    @Test("If seccomp forbids netlink sockets, network --watch polls and reports the polling source")
    func forbidden() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sandbox = [folder.appending(path: "Peers/without-netlink.py").path, CommandTool.path, "network", "--json"]
        let python = "/usr/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python) else { return print("There is no \(python).") }
        guard let space = try await NetworkNamespace.make() else { return }
        try await space.ip(Self.cable)
        let once = try await space.start(python, arguments: sandbox).outcome()
        guard once.status != 77 else { return print("seccomp is unavailable: \(once.errors.prefix(200))") }
        var line = try Self.read(once.text)
        #expect(!line.connected && line.source == "polling")
        let program = try space.start(python, arguments: sandbox + ["--watch"])
        defer { program.signal(SIGTERM) }
        line = try Self.read(try await program.line())
        #expect(!line.connected && line.source == "polling")
        #expect(line.interfaces.contains { $0.name == "v0" && $0.addresses.contains("192.0.2.2") })
        try await space.ip("route add default via 192.0.2.1")
        while !line.connected { line = try Self.read(try await program.line()) }
        #expect(line.source == "polling")
        // A router-sized table without a default route, of which only the start is read: 198.41.0.0/16 is past the end.
        let routes = (0..<2000).map { "route add 10.\($0 / 256).\($0 % 256).0/24 dev v0" }
        try await space.ip(
            routes + [
                "route add 198.41.0.0/16 via 192.0.2.1", "route del default", "link add w0 type veth peer name w1",
            ])
        while !line.interfaces.contains(where: { $0.name == "w0" }) {
            line = try Self.read(try await program.line())
            #expect(line.connected)
        }
        try await space.ip("route del 198.41.0.0/16")
        while line.connected { line = try Self.read(try await program.line()) }
    }

    private static let cable = [
        "link add v0 type veth peer name v1", "addr add 192.0.2.2/24 dev v0", "link set v1 up", "link set v0 up",
    ]

    @Test("network --watch recovers the current status after SIGSTOP and a netlink buffer overflow")
    func overflow() async throws {
        guard let space = try await NetworkNamespace.make() else { return }
        try await space.ip(
            "link add v0 type veth peer name v1", "addr add 192.0.2.2/24 dev v0", "link set v1 up", "link set v0 up")
        let program = try space.start(CommandTool.path, arguments: ["network", "--watch", "--json"])
        defer { program.signal(SIGTERM) }
        var line = try Self.read(try await program.line())
        #expect(!line.connected && line.source == "system")
        program.signal(SIGSTOP)
        let changes = (0..<5000).flatMap { number in
            let address = "10.0.\(number / 256).\(number % 256)/32"
            return ["addr add \(address) dev v0", "addr del \(address) dev v0"]
        }
        try await space.ip(changes + ["addr add 10.99.0.1/32 dev v0", "route add default via 192.0.2.1"])
        #expect(try Self.drops(space) > 0)
        program.signal(SIGCONT)
        while !(line.connected && line.interfaces.contains { $0.addresses.contains("10.99.0.1") }) {
            line = try Self.read(try await program.line())
        }
        // It still receives later changes.
        try await space.ip("route del default")
        while line.connected { line = try Self.read(try await program.line()) }
    }

    /// Returns the number of events that the kernel dropped because the socket buffer was full.
    private static func drops(_ space: NetworkNamespace) throws -> Int {
        try space.table("netlink").split(separator: "\n").dropFirst().reduce(0) { sum, line in
            let columns = line.split(separator: " ")
            return sum + (columns.count > 8 ? Int(columns[8]) ?? 0 : 0)
        }
    }
    #endif

    private static func read(_ line: String) throws -> Line {
        try JSONDecoder().decode(Line.self, from: Data(line.utf8))
    }
}
#endif
