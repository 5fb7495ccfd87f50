// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// Asks the kernel what is so; one question after the other.
final class NetlinkQuestions: Sendable {
    private struct State {
        var sequence: UInt32 = 0
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    }

    /// The most bytes that one datagram of an answer may have.
    private static let largest = 4 * 1024 * 1024
    /// How often to ask again for what changed while it was told.
    private static let attempts = 8
    /// The most routes that are gone through; a router of the internet has millions, and no PPP to the next.
    private static let mostRoutes = 100_000

    private let socket: NetlinkSocket
    private let state = Mutex(State())

    init() throws(NetlinkSocket.Failure) { socket = try NetlinkSocket(listens: false) }

    /// All that is so; `nil` where the kernel does not answer.
    func picture() -> NetworkPicture? {
        var picture = NetworkPicture()
        guard let links = all(UInt16(RTM_GETLINK), { if case .link(let link, false) = $0 { link } else { nil } }),
            let addresses = all(
                UInt16(RTM_GETADDR), { if case .address(let address, false) = $0 { address } else { nil } })
        else { return nil }
        picture.links = links
        picture.addresses = addresses
        (picture.ipv4, picture.ipv6) = ways()
        picture.hints = SystemFiles.hints(for: links)
        picture.dnsServers = SystemFiles.nameServers()
        if picture.needsUplinks {
            let routes = all(UInt16(RTM_GETROUTE), most: Self.mostRoutes) { message -> NetlinkRoute? in
                guard case .route(let route, false) = message, NetworkPicture.destinations.contains(where: route.covers)
                else { return nil }
                return route
            }
            picture.uplinks = Set((routes ?? []).flatMap(\.outgoing))
        }
        return picture
    }

    /// The ways that packets to the internet take, over IPv4 and IPv6.
    func ways() -> (ipv4: NetlinkRoute?, ipv6: NetlinkRoute?) {
        let ways = NetworkPicture.destinations.map(way)
        return (ways.first ?? nil, ways.last ?? nil)
    }

    private func way(to address: NumericAddress) -> NetlinkRoute? {
        state.withLock { state in
            state.sequence &+= 1
            let family = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
            guard simorgh_netlink_route(socket.descriptor, family, address.bytes, state.sequence) == 0 else {
                return nil
            }
            while let records = Self.next(socket, &state) {
                for record in records where record.sequence == state.sequence {
                    if case .route(let route, _) = record.message { return route }
                    if case .refused(let number) = record.message, number != 0 { return nil }
                }
            }
            return nil
        }
    }

    /// All things of a kind; `nil` where the kernel does not answer, or they change faster than it tells.
    private func all<Thing: Sendable>(
        _ question: UInt16, most: Int = .max, _ pick: (NetlinkMessage) -> Thing?
    ) -> [Thing]? {
        for _ in 0..<Self.attempts {
            if let things = state.withLock({ Self.all(question, most: most, socket, &$0, pick) }) { return things }
        }
        return nil
    }

    private static func all<Thing: Sendable>(
        _ question: UInt16, most: Int, _ socket: NetlinkSocket, _ state: inout State,
        _ pick: (NetlinkMessage) -> Thing?
    ) -> [Thing]? {
        state.sequence &+= 1
        guard simorgh_netlink_dump(socket.descriptor, question, 0, state.sequence) == 0 else { return nil }
        var things: [Thing] = []
        var (seen, isWhole) = (0, true)
        while let records = next(socket, &state) {
            for record in records where record.sequence == state.sequence {
                if record.isInterrupted { isWhole = false }
                switch record.message {
                case .done: return isWhole ? things : nil
                case .refused(let number) where number != 0: return nil
                default:
                    seen += 1
                    guard seen <= most else { continue }
                    if let thing = pick(record.message) { things.append(thing) }
                }
            }
        }
        return nil
    }

    /// The next datagram; `nil` where none comes, or it was larger than the room for it, which then is made.
    private static func next(_ socket: NetlinkSocket, _ state: inout State) -> [NetlinkRecord]? {
        guard let length = try? socket.receive(into: &state.buffer) else { return nil }
        guard length <= state.buffer.count else {
            state.buffer = [UInt8](repeating: 0, count: min(max(length, 2 * state.buffer.count), largest))
            return nil
        }
        return NetlinkParser.records(in: Array(state.buffer.prefix(length)))
    }
}
#endif
