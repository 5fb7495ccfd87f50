// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
extension SystemFiles {
    /// Returns true if a link is hardware, including that of a virtual machine.
    static func isHardware(_ link: NetlinkLink) -> Bool {
        FileBytes.prefix(of: "/sys/class/net/\(link.name)/device/uevent", upTo: 1) != nil
    }

    /// Returns an attribute of a link in sysfs, unless it belongs to a link of the same name in another namespace.
    package static func attribute(_ name: String, of link: NetlinkLink) -> String? {
        let folder = "/sys/class/net/\(link.name)"
        guard !link.name.contains("/"), let index = line(of: "\(folder)/ifindex"), Int32(index) == link.index else {
            return nil
        }
        return line(of: "\(folder)/\(name)")
    }

    /// Returns the sysfs `DEVTYPE` of the links without a known driver.
    static func hints(for links: [NetlinkLink]) -> [Int32: String] {
        var hints: [Int32: String] = [:]
        for link in links where link.driver == nil && !link.isLoopback {
            guard let event = attribute("uevent", of: link) else { continue }
            let isWireless = FileBytes.prefix(of: "/sys/class/net/\(link.name)/phy80211/index", upTo: 1) != nil
            hints[link.index] = value(of: "DEVTYPE", in: event) ?? (isWireless ? "wlan" : "")
        }
        return hints
    }

    /// Returns the DNS servers; if the only one is the stub of systemd-resolved, the servers that the stub uses.
    static func nameServers() -> [String] {
        let servers = nameServers(in: text(of: "/etc/resolv.conf") ?? "")
        guard servers == ["127.0.0.53"] else { return servers }
        let behind = nameServers(in: text(of: "/run/systemd/resolve/resolv.conf") ?? "")
        return behind.isEmpty ? servers : behind
    }

    private static func line(of path: String) -> String? {
        guard let bytes = FileBytes.prefix(of: path, upTo: 4096) else { return nil }
        var text = String(decoding: bytes, as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        return text
    }
}
#endif
