// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import Simorgh
import SimorghSupport

/// Prints the network status as text or JSON.
package struct NetworkPrinter: Sendable {
    package let isJSON: Bool
    private let output: ConsoleQueue

    package init(isJSON: Bool, console: Console) {
        self.isJSON = isJSON
        output = ConsoleQueue(console)
    }

    /// Prints the whole status, and returns when it has been written.
    package func show(_ status: NetworkStatus) async throws(OutputError) {
        if isJSON { return try await output.say(Self.json(status, at: nil).description) }
        try await output.write { console throws(OutputError) in try Self.show(status, on: console) }
    }

    private static func show(_ status: NetworkStatus, on console: Console) throws(OutputError) {
        let palette = console.outputPalette
        try console.say(palette.styled(headline(status), as: status.isConnected ? .good : .bad))
        for (name, value) in facts(status) where !value.isEmpty {
            try console.say(palette.styled(padded(name, to: 14), as: .key) + DisplayText.oneLine(value))
        }
        for interface in status.interfaces {
            let kind = interface.driver.map { "\(interface.kind.rawValue) (\($0))" } ?? interface.kind.rawValue
            let columns = [
                padded(interface.name, to: 16), padded(kind, to: 20), interface.isRunning ? "up    " : "down  ",
            ]
            let line = "  " + columns.joined() + interface.addresses.joined(separator: " ")
            try console.say(palette.styled(DisplayText.oneLine(line), as: interface.isRunning ? .strong : .faint))
        }
    }

    /// Prints one line for a change with its time, and returns when it has been written.
    package func printChange(_ status: NetworkStatus, at date: Date) async throws(OutputError) {
        if isJSON { return try await output.say(Self.json(status, at: date).description) }
        try await output.write { console throws(OutputError) in
            let time = console.outputPalette.styled(Self.time(date), as: .faint)
            try console.say("\(time)  \(DisplayText.oneLine(Self.changeText(status)))")
        }
    }

    /// Returns the text of a change without its time, which is compared with that of the previous change.
    package static func changeText(_ status: NetworkStatus) -> String {
        let headline = headline(status)
        guard status.isConnected else { return headline }
        let facts: [String?] = [
            status.gateways.isEmpty ? nil : "gateway " + status.gateways.joined(separator: " "),
            status.dnsServers.isEmpty ? nil : "DNS " + status.dnsServers.joined(separator: " "),
            status.isExpensive ? "expensive" : nil, status.isConstrained ? "constrained" : nil,
            status.isUltraConstrained ? "ultra-constrained" : nil,
            status.reachability == .unknown ? nil : status.reachability.rawValue,
        ]
        return ([headline] + facts.compactMap { $0 }).joined(separator: ", ")
    }

    /// Returns a one-line summary of the status.
    package static func headline(_ status: NetworkStatus) -> String {
        if status.source == .unavailable {
            return "unknown: this system does not report its network status, or not now"
        }
        guard let type = status.type else {
            let details: [String?] = [
                status.connectsOnDemand ? "connects on demand" : nil, status.isVPNPresent ? "VPN present" : nil,
                status.explanation,
            ]
            return (["disconnected"] + details.compactMap { $0 }).joined(separator: ", ")
        }
        var text = "connected through \(type.rawValue)"
        if let primary = status.primaryInterface { text += " (\(primary.name))" }
        if type == .vpn, let below = status.underlyingType { text += " over \(below.rawValue)" }
        let families = [status.supportsIPv4 ? "IPv4" : nil, status.supportsIPv6 ? "IPv6" : nil].compactMap { $0 }
        if !families.isEmpty { text += ", " + families.joined(separator: " and ") }
        if status.isVPNActive, type != .vpn {
            text += ", VPN active for one of them"
        } else if status.isVPNPresent, !status.isVPNActive {
            text += ", VPN present"
        }
        return text
    }

    private static func facts(_ status: NetworkStatus) -> [(String, String)] {
        let vpn = [status.isVPNActive ? "active" : nil, status.isVPNPresent ? "present" : nil].compactMap { $0 }
        return [
            ("VPN", vpn.isEmpty ? "none" : vpn.joined(separator: ", ")),
            ("gateway", status.gateways.joined(separator: " ")),
            ("DNS", status.dnsServers.joined(separator: " ")),
            ("expensive", status.isExpensive ? "yes" : ""),
            ("constrained", status.isUltraConstrained ? "ultra" : status.isConstrained ? "yes" : ""),
            ("reachability", status.reachability.rawValue),
            ("known by", status.source.rawValue),
            ("since", time(status.since)),
        ]
    }

    private static func json(_ status: NetworkStatus, at date: Date?) -> JSON {
        func texts(_ values: [String]) -> JSON { .array(values.map { .string($0) }) }
        var object: [String: JSON] = [
            "connected": .bool(status.isConnected), "type": status.type.map { .string($0.rawValue) } ?? .null,
            "underlying": status.underlyingType.map { .string($0.rawValue) } ?? .null,
            "interface": status.primaryInterface.map { .string($0.name) } ?? .null,
            "vpnActive": .bool(status.isVPNActive), "vpnPresent": .bool(status.isVPNPresent),
            "ipv4": .bool(status.supportsIPv4), "ipv6": .bool(status.supportsIPv6),
            "dns": texts(status.dnsServers), "gateways": texts(status.gateways),
            "expensive": .bool(status.isExpensive), "constrained": .bool(status.isConstrained),
            "ultraConstrained": .bool(status.isUltraConstrained), "onDemand": .bool(status.connectsOnDemand),
            "reason": status.unsatisfiedReason.map { .string($0.rawValue) } ?? .null,
            "reachability": .string(status.reachability.rawValue), "source": .string(status.source.rawValue),
            "since": .string(time(status.since)),
            "interfaces": .array(
                status.interfaces.map { interface in
                    .object([
                        "name": .string(interface.name), "kind": .string(interface.kind.rawValue),
                        "driver": interface.driver.map { .string($0) } ?? .null, "up": .bool(interface.isRunning),
                        "addresses": texts(interface.addresses),
                    ])
                }),
        ]
        if let date { object["time"] = .string(time(date)) }
        return .object(object)
    }

    private static func time(_ date: Date) -> String {
        Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
#endif
