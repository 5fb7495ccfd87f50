// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A snapshot of what Apple platforms report about the network, in platform-independent types; ``status`` is derived
/// from it.
///
/// It holds every input of that derivation, so that a recording of it from a device can become a test.
package struct ApplePathSnapshot: Hashable, Sendable, Codable {
    /// The interface types that the system reports (`NWInterface.InterfaceType`).
    package enum DeviceType: String, Hashable, Sendable, Codable, CaseIterable {
        case wifi, cellular, ethernet, loopback, other
    }

    /// An interface on a path of the system (`NWInterface`).
    package struct Device: Hashable, Sendable, Codable {
        package let name: String
        package let type: DeviceType
        package let index: Int

        package init(_ name: String, type: DeviceType, index: Int = 0) {
            self.name = name
            self.type = type
            self.index = index
        }
    }

    /// The state of an interface, whether it is on a path or not (`getifaddrs`).
    package struct Link: Hashable, Sendable, Codable {
        package var index = 0
        package var isRunning = false
        /// The addresses as the system returns them: a link-local IPv6 address may have its zone in the third and
        /// fourth byte, or after a percent sign.
        package var addresses: [String] = []

        package init() {}
    }

    /// The path that connections to the internet use.
    package var general = ApplePath()
    /// The path of connections that require an interface of type ``DeviceType/other``, such as a tunnel; `nil` if the
    /// system has not reported it.
    package var tunnel: ApplePath?
    /// True if the system has reported ``general``; false if that is the initial value of its path monitor, which may
    /// be unsatisfied although there is a network.
    package var isReported = true
    /// All interfaces by name.
    package var links: [String: Link] = [:]
    /// The source addresses that the kernel chooses for packets to a public address, at most one for each family.
    package var sources: [String] = []

    package init() {}

    /// The network status derived from this snapshot.
    package var status: NetworkStatus { ApplePathInterpreter(self).status }
}

/// A path of an Apple platform (`NWPath`).
package struct ApplePath: Hashable, Sendable, Codable {
    /// The status of a path (`NWPath.Status`).
    package enum Status: String, Hashable, Sendable, Codable { case satisfied, unsatisfied, requiresConnection }

    package var status = Status.unsatisfied
    /// The reason that the system gives if the path is not satisfied.
    package var unsatisfiedReason: NetworkStatus.UnsatisfiedReason?
    /// The interfaces that may carry packets, in the order of preference.
    package var devices: [ApplePathSnapshot.Device] = []
    /// The interface types that the path uses, also below a tunnel.
    package var types: [ApplePathSnapshot.DeviceType] = []
    package var isExpensive = false
    package var isConstrained = false
    package var isUltraConstrained = false
    package var supportsIPv4 = false
    package var supportsIPv6 = false
    package var gateways: [String] = []
    /// The system's own description, which is only recorded.
    package var text = ""

    package init() {}
}

/// Decoding uses the default of a property that is missing, so that recordings of earlier versions stay readable.
extension ApplePathSnapshot {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        general = try values.decodeIfPresent(ApplePath.self, forKey: .general) ?? general
        tunnel = try values.decodeIfPresent(ApplePath.self, forKey: .tunnel)
        isReported = try values.decodeIfPresent(Bool.self, forKey: .isReported) ?? isReported
        links = try values.decodeIfPresent([String: Link].self, forKey: .links) ?? links
        sources = try values.decodeIfPresent([String].self, forKey: .sources) ?? sources
    }
}

extension ApplePath {
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, _ fallback: Value) throws -> Value {
            try values.decodeIfPresent(Value.self, forKey: key) ?? fallback
        }
        status = try value(.status, status)
        unsatisfiedReason = try values.decodeIfPresent(
            NetworkStatus.UnsatisfiedReason.self, forKey: .unsatisfiedReason)
        devices = try value(.devices, devices)
        types = try value(.types, types)
        isExpensive = try value(.isExpensive, isExpensive)
        isConstrained = try value(.isConstrained, isConstrained)
        isUltraConstrained = try value(.isUltraConstrained, isUltraConstrained)
        supportsIPv4 = try value(.supportsIPv4, supportsIPv4)
        supportsIPv6 = try value(.supportsIPv6, supportsIPv6)
        gateways = try value(.gateways, gateways)
        text = try value(.text, text)
    }
}
