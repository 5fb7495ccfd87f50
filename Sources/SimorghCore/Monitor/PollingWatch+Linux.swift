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
        var news = NetworkNews()
        var looks = 0
    }

    private let interval: Duration
    private let tell: @Sendable (NetworkStatus) -> Void
    private let state = Mutex(State())
    private let looksBetween: Int
    private let listen: @Sendable () -> Bool
    private let queue = DispatchQueue(label: "simorgh.network")

    /// - Parameters:
    ///   - interval: How often to look.
    ///   - looksBetween: How many looks there are before it is tried again whether somebody may listen.
    ///   - tell: Told what is new.
    ///   - listen: Tries to listen in place of this watch, which it stops then.
    init(
        _ interval: Duration, looksBetween: Int, _ tell: @escaping @Sendable (NetworkStatus) -> Void,
        listen: @escaping @Sendable () -> Bool
    ) {
        self.interval = interval
        self.looksBetween = looksBetween
        self.tell = tell
        self.listen = listen
    }

    /// Tells what is so, and looks from then on.
    func start() {
        queue.sync { look() }
        let nanoseconds = Int(interval / .nanoseconds(1))
        state.withLock { state in
            guard !state.news.isStopped else { return }
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now() + .nanoseconds(nanoseconds), repeating: .nanoseconds(nanoseconds))
            timer.setEventHandler { [weak self] in self?.again() }
            timer.resume()
            state.timer = timer
        }
    }

    func stop() {
        state.withLock { state in
            state.news.stop()
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func again() {
        let isDue = state.withLock { state in
            state.looks += 1
            return !state.news.isStopped && state.looks % looksBetween == 0
        }
        if !isDue || !listen() { look() }
    }

    private func look() {
        // What cannot be read is no news.
        guard let status = PolledPicture.now()?.status else { return }
        if state.withLock({ $0.news.isNews(status) }) { tell(status) }
    }
}

/// What the kernel's files say, where it may not be asked over rtnetlink.
enum PolledPicture {
    /// All that they say; `nil` where they cannot be read, or not all of them.
    static func now() -> NetworkPicture? {
        guard let devices = SystemFiles.text(of: "/proc/net/dev"), let four = SystemFiles.text(of: "/proc/net/route")
        else { return nil }
        var picture = NetworkPicture()
        picture.source = .polling
        for name in SystemFiles.devices(in: devices) {
            var address: [UInt8] = [0, 0, 0, 0]
            var link = NetlinkLink()
            link.name = name
            let failure = simorgh_device(name, &link.flags, &link.index, &address)
            if failure == -EMFILE || failure == -ENFILE { return nil }
            guard failure == 0 else { continue }
            link.type = UInt16(SystemFiles.attribute("type", of: link) ?? "") ?? (link.isLoopback ? 772 : 1)
            link.isTap =
                SystemFiles.attribute("tun_flags", of: link)
                .flatMap { Int($0.dropFirst(2), radix: 16) }.map { $0 & 0x2 != 0 } ?? false
            if SystemFiles.attribute("tun_flags", of: link) != nil { link.kind = "tun" }
            picture.links.append(link)
            if address != [0, 0, 0, 0], let address = NumericAddress(address) {
                // How long its network is, is not said.
                picture.addresses.append(
                    NetlinkAddress(
                        index: link.index, address: address, prefixLength: address.isLinkLocal ? 16 : 32, flags: 0))
            }
        }
        // Every system has its loopback.
        guard !picture.links.isEmpty else { return nil }
        // Where there is no IPv6, its files are none either.
        let six = SystemFiles.text(of: "/proc/net/if_inet6") ?? ""
        picture.addresses += SystemFiles.ipv6Addresses(in: six).map(\.address)
        picture.follow(four, SystemFiles.text(of: "/proc/net/ipv6_route") ?? "")
        guard FileBytes.mayOpen else { return nil }
        picture.hints = SystemFiles.hints(for: picture.links)
        for link in picture.links where link.kind == nil && picture.hints[link.index] == "" {
            // Only the kernel says what it is; that it is not hardware, its files do.
            if link.type == 1, !SystemFiles.isHardware(link) { picture.hints[link.index] = "virtual" }
        }
        picture.dnsServers = SystemFiles.nameServers()
        return picture
    }
}

extension NetworkPicture {
    /// Finds the ways in the two tables of routes.
    fileprivate mutating func follow(_ four: String, _ six: String) {
        for address in NetworkPicture.destinations {
            let found =
                address.isIPv6
                ? SystemFiles.ipv6Route(to: address, in: six) : SystemFiles.ipv4Route(to: address, in: four)
            guard let found, let link = links.first(where: { $0.name == found.device }) else { continue }
            var route = NetlinkRoute()
            route.isIPv6 = address.isIPv6
            route.outgoing = [link.index]
            route.gateway = found.gateway
            // Which address it would come from is not said; with none but its own making it reaches neighbours at most.
            let sources = addresses.filter { $0.index == link.index && $0.address.isIPv6 == address.isIPv6 }
            route.source = sources.first { !$0.address.isLinkLocal }?.address ?? sources.first?.address
            if address.isIPv6 { ipv6 = route } else { ipv4 = route }
            uplinks.formUnion(links.filter { found.devices.contains($0.name) }.map(\.index))
        }
    }
}
#endif
