// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import CSimorghNetlink
import Dispatch
import Synchronization

/// Looks again and again, where nobody may listen.
final class PollingWatch: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var isStopped = false
        var status: NetworkStatus?
    }

    private let interval: Duration
    private let tell: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "simorgh.network")

    init(_ interval: Duration, _ tell: @escaping @Sendable (NetworkStatus) -> Void) {
        self.interval = interval
        self.tell = tell
    }

    /// Tells what is so, and looks from then on.
    func start() {
        queue.sync { look() }
        let nanoseconds = Int(max(interval, .milliseconds(1)) / .nanoseconds(1))
        state.withLock { state in
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds))
            timer.setEventHandler { [weak self] in self?.look() }
            timer.resume()
            state.timer = timer
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func look() {
        let status = PolledPicture.now().status
        let isNews = state.withLock { state in
            guard !state.isStopped, state.status != status else { return false }
            state.status = status
            return true
        }
        if isNews { tell(status) }
    }
}

/// What the kernel's files say, where it may not be asked over rtnetlink.
enum PolledPicture {
    static func now() -> NetworkPicture {
        var picture = NetworkPicture()
        picture.source = .polling
        for name in SystemFiles.devices(in: SystemFiles.text(of: "/proc/net/dev")) {
            var link = NetlinkLink()
            link.name = name
            var four: [UInt8] = [0, 0, 0, 0]
            guard simorgh_device(name, &link.flags, &link.index, &four) == 0 else { continue }
            link.type = UInt16(SystemFiles.attribute("type", of: link) ?? "") ?? (link.isLoopback ? 772 : 1)
            link.isTap =
                SystemFiles.attribute("tun_flags", of: link)
                .flatMap { Int($0.dropFirst(2), radix: 16) }.map { $0 & 0x2 != 0 } ?? false
            if SystemFiles.attribute("tun_flags", of: link) != nil { link.kind = "tun" }
            picture.links.append(link)
            if four != [0, 0, 0, 0], let address = NumericAddress(four) {
                picture.addresses.append(
                    NetlinkAddress(index: link.index, address: address, prefixLength: 32, flags: 0))
            }
        }
        let six = SystemFiles.ipv6Addresses(in: SystemFiles.text(of: "/proc/net/if_inet6"))
        picture.addresses += six.map(\.address)
        let routes = (SystemFiles.text(of: "/proc/net/route"), SystemFiles.text(of: "/proc/net/ipv6_route"))
        for address in NetworkPicture.destinations {
            let found =
                address.isIPv6
                ? SystemFiles.ipv6Route(to: address, in: routes.1) : SystemFiles.ipv4Route(to: address, in: routes.0)
            guard let found, let link = picture.links.first(where: { $0.name == found.device }) else { continue }
            var route = NetlinkRoute()
            route.isIPv6 = address.isIPv6
            route.outgoing = [link.index]
            route.gateway = found.gateway
            // Which address it would come from is not said; with none but its own making it reaches neighbours at most.
            let sources = picture.addresses.filter { $0.index == link.index && $0.address.isIPv6 == address.isIPv6 }
            route.source = sources.first { !$0.address.isLinkLocal }?.address ?? sources.first?.address
            if address.isIPv6 { picture.ipv6 = route } else { picture.ipv4 = route }
            picture.uplinks.formUnion(picture.links.filter { found.devices.contains($0.name) }.map(\.index))
        }
        picture.hints = SystemFiles.hints(for: picture.links)
        picture.dnsServers = SystemFiles.nameServers()
        return picture
    }
}
#endif
