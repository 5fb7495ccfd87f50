// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// Parsers of the network files of a Linux system.
package enum SystemFiles {
    /// Returns a file as text, at most 256 KiB of it; `nil` if it cannot be read.
    static func text(of path: String) -> String? {
        // Files of the kernel must be read from the start, and reads may return fewer bytes than requested.
        FileBytes.prefix(of: path, upTo: 256 * 1024).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the complete lines in the first bytes of a table; `nil` if it cannot be read.
    ///
    /// The table of a router may have a million lines, and it is read every second.
    package static func table(of path: String, upTo limit: Int = 64 * 1024) -> String? {
        guard let bytes = FileBytes.prefix(of: path, upTo: limit) else { return nil }
        let end = bytes.count < limit ? bytes.count : bytes.lastIndex(of: UInt8(ascii: "\n")) ?? 0
        return String(decoding: bytes.prefix(end), as: UTF8.self)
    }

    /// Returns the names in `/etc/hosts`, in lowercase.
    package static func hostNames(in text: String) -> Set<String> {
        var names: Set<String> = []
        for line in text.split(whereSeparator: \.isNewline) {
            let fields = line.prefix { $0 != "#" }.split(whereSeparator: \.isWhitespace)
            names.formUnion(fields.dropFirst().map { $0.lowercased() })
        }
        return names
    }

    /// Returns the servers in `resolv.conf`, at most eight.
    package static func nameServers(in text: String) -> [String] {
        var servers: [String] = []
        for line in text.split(whereSeparator: \.isNewline) where servers.count < 8 {
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 2, fields[0] == "nameserver" else { continue }
            // The zone is part of a link-local address, but the parser does not accept it.
            guard NumericAddress(fields[1].prefix { $0 != "%" }) != nil, !servers.contains(String(fields[1])) else {
                continue
            }
            servers.append(String(fields[1]))
        }
        return servers
    }

    /// Returns the value of a line `KEY=value`.
    package static func value(of key: String, in text: String) -> String? {
        text.split(whereSeparator: \.isNewline).lazy
            .compactMap { $0.hasPrefix("\(key)=") ? String($0.dropFirst(key.utf8.count + 1)) : nil }.first
    }

    /// Returns the addresses in `/proc/net/if_inet6`, with the names of their interfaces.
    package static func ipv6Addresses(in text: String) -> [(device: String, address: NetlinkAddress)] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let fields = line.split(whereSeparator: \.isWhitespace)
            guard fields.count >= 6, let address = ipv6(fields[0]), let index = Int32(fields[1], radix: 16),
                let prefixLength = UInt8(fields[2], radix: 16), let flags = UInt32(fields[4], radix: 16)
            else { return nil }
            let found = NetlinkAddress(index: index, address: address, prefixLength: prefixLength, flags: flags)
            return (String(fields[5]), found)
        }
    }

    /// Returns the names of the interfaces in `/proc/net/dev`.
    package static func devices(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).dropFirst(2).compactMap { line in
            line.firstIndex(of: ":").map { String(line[..<$0].drop(while: \.isWhitespace)) }
        }
    }

    /// Parses an address of 32 hexadecimal digits.
    fileprivate static func ipv6(_ digits: Substring) -> NumericAddress? {
        guard digits.utf8.count == 32 else { return nil }
        let digits = Array(digits.utf8)
        let bytes = stride(from: 0, to: 32, by: 2).compactMap { index in
            UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
        }
        return NumericAddress(bytes)
    }

    /// Returns the route to an address from `/proc/net/route`, and the names of all interfaces with a matching route.
    package static func ipv4Route(
        to address: NumericAddress, in text: String
    ) -> (device: String, gateway: NumericAddress?, devices: Set<String>)? {
        let routes = lines(of: text).dropFirst().compactMap { ProcRoute(ipv4: fields(of: $0)) }
        return ProcRoute.choose(from: routes, for: address)
    }

    /// Returns the route to an address from `/proc/net/ipv6_route`, and the names of all interfaces with a matching
    /// route.
    package static func ipv6Route(
        to address: NumericAddress, in text: String
    ) -> (device: String, gateway: NumericAddress?, devices: Set<String>)? {
        let routes = lines(of: text).compactMap { ProcRoute(ipv6: fields(of: $0)) }
        return ProcRoute.choose(from: routes, for: address)
    }

    /// Returns the lines of a routing table; works on bytes, as tables are long and read repeatedly.
    private static func lines(of text: String) -> [Substring.UTF8View] {
        text.utf8.split(separator: UInt8(ascii: "\n"))
    }

    private static func fields(of line: Substring.UTF8View) -> [Substring] {
        line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.map { Substring($0) }
    }
}

/// A line of `/proc/net/route` or `/proc/net/ipv6_route`.
private struct ProcRoute {
    let device: String
    let destination: NumericAddress
    let prefixLength: Int
    let gateway: NumericAddress?
    let metric: UInt32
    let flags: UInt32

    private var isUp: Bool { flags & 0x1 != 0 }
    private var refuses: Bool { flags & 0x200 != 0 }

    /// Parses device, destination, gateway, flags, two counters, metric and mask; numbers are in the processor's byte
    /// order.
    init?(ipv4 fields: [Substring]) {
        guard fields.count >= 8, let destination = Self.address(fields[1]), let gateway = Self.address(fields[2]),
            let flags = UInt32(fields[3], radix: 16), let metric = UInt32(fields[6]), let mask = Self.address(fields[7])
        else { return nil }
        device = String(fields[0])
        self.destination = destination
        self.gateway = gateway.bytes.allSatisfy { $0 == 0 } ? nil : gateway
        prefixLength = mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
        self.metric = metric
        self.flags = flags
    }

    /// Parses destination, its length, source, its length, gateway, metric, two counters, flags and device; bytes are
    /// in order.
    init?(ipv6 fields: [Substring]) {
        guard fields.count >= 10, let destination = SystemFiles.ipv6(fields[0]),
            let prefixLength = Int(fields[1], radix: 16), (0...128).contains(prefixLength),
            let gateway = SystemFiles.ipv6(fields[4]), let metric = UInt32(fields[5], radix: 16),
            let flags = UInt32(fields[8], radix: 16)
        else { return nil }
        device = String(fields[9])
        self.destination = destination
        self.prefixLength = prefixLength
        self.gateway = gateway.bytes.allSatisfy { $0 == 0 } ? nil : gateway
        self.metric = metric
        self.flags = flags
    }

    private static func address(_ text: Substring) -> NumericAddress? {
        guard text.utf8.count == 8, let number = UInt32(text, radix: 16) else { return nil }
        return withUnsafeBytes(of: number) { NumericAddress($0) }
    }

    /// Returns the route with the longest prefix, and among equals the lowest metric; `nil` if that route rejects
    /// packets.
    static func choose(
        from routes: [ProcRoute], for address: NumericAddress
    ) -> (device: String, gateway: NumericAddress?, devices: Set<String>)? {
        let fitting = routes.filter { route in
            route.isUp && route.destination.shares(route.prefixLength, bitsWith: address)
        }
        guard
            let best = fitting.min(by: { one, other in
                (other.prefixLength, one.metric) < (one.prefixLength, other.metric)
            }), !best.refuses
        else { return nil }
        return (best.device, best.gateway, Set(fitting.lazy.filter { !$0.refuses }.map(\.device)))
    }
}
