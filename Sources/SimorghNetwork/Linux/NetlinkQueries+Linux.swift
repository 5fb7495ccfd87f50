// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

#if os(Linux)
import CSimorghNetlink
import Synchronization

/// Queries the kernel over rtnetlink, one request after the other.
final class NetlinkQueries: Sendable {
    private struct State {
        var sequence: UInt32 = 0
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        /// The last values read from system files.
        var hints: [Int32: String] = [:]
        var dnsServers: [String] = []
    }

    /// The kernel's answer to a route query.
    private enum RouteAnswer {
        case leads(NetlinkRoute)
        /// There is no route: no packet leaves.
        case none
    }

    /// The largest datagram of an answer, in bytes.
    private static let maximumDatagramSize = 4 * 1024 * 1024
    /// The number of attempts for data that changes during the dump.
    private static let maximumAttempts = 8
    /// The largest number of links that are checked for a route to the internet.
    private static let maximumUplinks = 256

    private let socket: NetlinkSocket
    private let state = Mutex(State())

    init(_ open: (Bool) -> Int32) throws(NetlinkSocket.Failure) { socket = try NetlinkSocket(listens: false, open) }

    /// Queries a full snapshot.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` if the kernel does not answer.
    func snapshot() throws(NetlinkSocket.Failure) -> KernelNetworkSnapshot {
        var snapshot = try connectivitySnapshot()
        // Without a free descriptor the files cannot be read, which does not mean that they are empty.
        let files = FileBytes.mayOpen ? (SystemFiles.hints(for: snapshot.links), SystemFiles.nameServers()) : nil
        (snapshot.hints, snapshot.dnsServers) = state.withLock { state in
            if let files { (state.hints, state.dnsServers) = files }
            return (state.hints, state.dnsServers)
        }
        if snapshot.needsUplinks {
            for link in snapshot.links.lazy.filter({ $0.isRunning && !$0.isLoopback }).prefix(Self.maximumUplinks) {
                if try isUplink(link.index) { snapshot.uplinks.insert(link.index) }
            }
        }
        return snapshot
    }

    /// Queries the links, their addresses and the routes, which is enough for the connectivity.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` if the kernel does not answer.
    func connectivitySnapshot() throws(NetlinkSocket.Failure) -> KernelNetworkSnapshot {
        let first = try connectivitySnapshotOnce()
        // The queries are not atomic: a link that came up in between has the route but is not in the list of links.
        return first.isCoherent ? first : (try? connectivitySnapshotOnce()) ?? first
    }

    private func connectivitySnapshotOnce() throws(NetlinkSocket.Failure) -> KernelNetworkSnapshot {
        var snapshot = KernelNetworkSnapshot()
        snapshot.links = try all(UInt16(RTM_GETLINK)) { if case .link(let link, false) = $0 { link } else { nil } }
        snapshot.addresses = try all(UInt16(RTM_GETADDR)) {
            if case .address(let address, false) = $0 { address } else { nil }
        }
        (snapshot.ipv4, snapshot.ipv6) = try routes()
        return snapshot
    }

    /// Queries the routes of packets to the internet, over IPv4 and IPv6.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` if the kernel does not answer.
    func routes() throws(NetlinkSocket.Failure) -> (ipv4: NetlinkRoute?, ipv6: NetlinkRoute?) {
        var routes: (ipv4: NetlinkRoute?, ipv6: NetlinkRoute?)
        for address in KernelNetworkSnapshot.destinations {
            guard case .leads(let route) = try route(to: address) else { continue }
            if address.isIPv6 { routes.ipv6 = route } else { routes.ipv4 = route }
        }
        return routes
    }

    /// Queries one link; `nil` if there is no link with this index, or if the query fails.
    func link(_ index: Int32) -> NetlinkLink? {
        try? withRequest { state throws(NetlinkSocket.Failure) -> NetlinkLink in
            try Self.check(simorgh_netlink_link(socket.descriptor, index, state.sequence))
            while true {
                for record in try Self.next(from: socket, state: &state) where record.sequence == state.sequence {
                    if case .link(let link, false) = record.message { return link }
                    guard case .failed(let number) = record.message else { continue }
                    throw NetlinkSocket.Failure(number: number)
                }
            }
        }
    }

    /// Returns true if any route to the internet leads through a link, used or not.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` after a timeout; any other failure counts as false.
    private func isUplink(_ index: Int32) throws(NetlinkSocket.Failure) -> Bool {
        for address in KernelNetworkSnapshot.destinations {
            do throws(NetlinkSocket.Failure) {
                if case .leads(let route) = try route(to: address, through: index), route.isUnicast { return true }
            } catch {
                // After one timeout, the requests for the other links are not sent: each would wait for the timeout as
                // well.
                if error.isTimeout { throw error }
            }
        }
        return false
    }

    private func route(
        to address: NumericAddress, through link: Int32 = 0
    ) throws(NetlinkSocket.Failure) -> RouteAnswer {
        try withRequest { state throws(NetlinkSocket.Failure) in
            let family = UInt8(address.isIPv6 ? AF_INET6 : AF_INET)
            try Self.check(
                simorgh_netlink_route(socket.descriptor, family, address.bytes, link, state.sequence))
            while true {
                for record in try Self.next(from: socket, state: &state) where record.sequence == state.sequence {
                    if case .route(let route, _) = record.message { return .leads(route) }
                    guard case .failed(let number) = record.message else { continue }
                    guard Self.isInconclusive(number, isIPv6: address.isIPv6) else { return .none }
                    throw NetlinkSocket.Failure(number: number)
                }
            }
        }
    }

    /// Returns true if an error does not show that there is no route: no memory, or a request that is not supported.
    ///
    /// A kernel without IPv6 rejects the IPv6 request as not supported, so there is no IPv6 route. Every kernel has
    /// IPv4: if the IPv4 request is not supported, the error comes from a sandbox without netlink.
    private static func isInconclusive(_ number: CInt, isIPv6: Bool) -> Bool {
        let isUnknown = [EOPNOTSUPP, ENOSYS, EPERM].contains(number)
        return [ENOMEM, ENOBUFS, EINTR, EAGAIN].contains(number) || isUnknown && !isIPv6
    }

    /// Requests all objects of a type.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` if the kernel does not answer, or if the objects change during each dump.
    private func all<Value: Sendable>(
        _ request: UInt16, transform: (NetlinkMessage) -> Value?
    ) throws(NetlinkSocket.Failure) -> [Value] {
        var attempt = 1
        while true {
            do throws(NetlinkSocket.Failure) {
                return try allOnce(request, transform: transform)
            } catch {
                // After one timeout, further attempts would only wait again.
                if error.isTimeout || attempt == Self.maximumAttempts { throw error }
                attempt += 1
            }
        }
    }

    private func allOnce<Value: Sendable>(
        _ request: UInt16, transform: (NetlinkMessage) -> Value?
    ) throws(NetlinkSocket.Failure) -> [Value] {
        try withRequest { state throws(NetlinkSocket.Failure) in
            try Self.check(simorgh_netlink_dump(socket.descriptor, request, 0, state.sequence))
            var values: [Value] = []
            var isWhole = true
            while true {
                for record in try Self.next(from: socket, state: &state) where record.sequence == state.sequence {
                    if record.isInterrupted { isWhole = false }
                    switch record.message {
                    case .done:
                        guard isWhole else { throw .interrupted }
                        return values
                    case .failed(let number): throw NetlinkSocket.Failure(number: number)
                    default: if let value = transform(record.message) { values.append(value) }
                    }
                }
            }
        }
    }

    /// Sends one request with its own sequence number.
    private func withRequest<Answer: Sendable>(
        _ body: (inout State) throws(NetlinkSocket.Failure) -> Answer
    ) throws(NetlinkSocket.Failure) -> Answer {
        try state.withLock { state throws(NetlinkSocket.Failure) in
            state.sequence &+= 1
            return try body(&state)
        }
    }

    private static func check(_ result: Int32) throws(NetlinkSocket.Failure) {
        if result < 0 { throw NetlinkSocket.Failure(number: -result) }
    }

    /// Receives the next datagram.
    ///
    /// - Throws: ``NetlinkSocket/Failure`` if none arrives, or if it did not fit into the buffer, which is then
    ///   enlarged.
    private static func next(
        from socket: NetlinkSocket, state: inout State
    ) throws(NetlinkSocket.Failure) -> [NetlinkRecord] {
        let length = try socket.receive(into: &state.buffer)
        guard length <= state.buffer.count else {
            state.buffer = [UInt8](repeating: 0, count: min(max(length, 2 * state.buffer.count), maximumDatagramSize))
            throw .interrupted
        }
        return NetlinkParser.records(in: Array(state.buffer.prefix(length)))
    }
}
#endif
