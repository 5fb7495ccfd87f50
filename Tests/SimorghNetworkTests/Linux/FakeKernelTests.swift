// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Glibc
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// Kernel answers that no test can provoke from a real kernel: interrupted, misdirected, or missing.
@Suite(.timeLimit(.minutes(5)))
struct FakeKernelTests {
    private static let links: UInt16 = 18
    private static let addresses: UInt16 = 22
    private static let routeQuery: UInt16 = 26

    @Test("A complete answer yields the status")
    func plain() {
        let status = FakeKernel { $0.plain }.source.current()
        #expect(status.source == .system)
        #expect(status.primaryInterface?.name == "eth0")
        #expect(status.primaryInterface?.addresses == ["192.0.2.2"])
        #expect(status.supportsIPv4 && status.supportsIPv6)
    }

    @Test("An interrupted dump (NLM_F_DUMP_INTR) is requested again")
    func interrupted() {
        let kernel = FakeKernel { question in
            guard question.type == Self.links, question.earlier < 2 else { return question.plain }
            return [question.links(bridges: 5, flags: 0x12), question.done]
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.interfaces.map(\.name) == ["lo", "eth0"])
        #expect(kernel.count(Self.links) == 3)
    }

    @Test("A dump that is always interrupted is requested eight times, then files are read")
    func neverWhole() {
        let kernel = FakeKernel { question in
            question.type == Self.links ? [question.links(flags: 0x12), question.done] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.links) == 8)
    }

    @Test("A truncated datagram is requested again with a larger buffer")
    func large() {
        let kernel = FakeKernel { question in
            question.type == Self.links ? [question.links(bridges: 2000), question.done] : question.plain
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.interfaces.count == 2002)
        #expect(kernel.count(Self.links) == 2)
    }

    @Test("Answers to earlier requests, truncated messages and acknowledgements are ignored")
    func foreign() {
        let kernel = FakeKernel { question in
            let earlier = FakeKernel.Question(
                type: question.type, sequence: question.sequence &- 1, family: question.family, earlier: 0)
            guard question.type != Self.routeQuery else { return [earlier.refusal(ENETUNREACH), question.route] }
            guard question.type == Self.links else { return question.plain }
            let cut = Array(question.links(bridges: 1).dropLast(8))
            return [earlier.links(bridges: 7), earlier.done, question.refusal(0), cut, question.done]
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.interfaces.map(\.name) == ["lo", "eth0"])
        #expect(status.isConnected)
    }

    @Test("A refused request is retried; ENETUNREACH for a route is disconnected", arguments: [EBUSY, EINTR, ENOMEM])
    func refused(number: CInt) {
        let kernel = FakeKernel { question in
            if question.type == Self.routeQuery { return [question.refusal(ENETUNREACH)] }
            return question.earlier == 0 ? [question.refusal(number)] : question.plain
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(!status.isConnected && !status.isIsolated)
        #expect(kernel.count(Self.links) == 2 && kernel.count(Self.addresses) == 2)
    }

    @Test(
        "An error other than ENETUNREACH for a route is not a loss: files are read",
        arguments: [ENOMEM, EOPNOTSUPP, EPERM])
    func routeUnknown(number: CInt) {
        let kernel = FakeKernel { question in
            question.type == Self.routeQuery ? [question.refusal(number)] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
    }

    @Test("A kernel without IPv6, which refuses IPv6 requests, has the routes of IPv4")
    func withoutIPv6() {
        let kernel = FakeKernel { question in
            guard question.type == Self.routeQuery, question.family == AF_INET6 else { return question.plain }
            return [question.refusal(EOPNOTSUPP)]
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.supportsIPv4 && !status.supportsIPv6)
    }

    @Test("If every request is refused, files are read, and stay the source")
    func refusesAll() {
        let kernel = FakeKernel { [$0.refusal(EPERM)] }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        #expect(monitor.knownStatus?.source == .polling)
        monitor.stopMonitoring()
    }

    @Test("A silent kernel times out once per status, not once per attempt")
    func silent() {
        let kernel = FakeKernel(patience: 1) { _ in [] }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.links) == 1)
    }

    @Test("After a timeout, later callers do not wait for the silent kernel")
    func silentJustNow() {
        let kernel = FakeKernel(patience: 1) { _ in [] }
        let source = kernel.source
        for _ in 0..<100 { #expect(source.current().source == .polling && source.quickStatus().source == .polling) }
        // Waiting each time would take 100 seconds; the kernel is asked again after ten.
        #expect(kernel.count(Self.links) <= 10)
    }

    @Test("A kernel that refuses is asked again after the retry interval; without descriptors, each check tries again")
    func patience() async throws {
        let refusing = FakeKernel { [$0.refusal(EPERM)] }
        let opened = Counter()
        let failed = Counter()
        let patient = refusing.watched(every: .milliseconds(1), again: .seconds(3600)) { _ = opened.next() }
        let eager = KernelNetworkSource(interval: .milliseconds(1), retry: .seconds(3600)) { _ in
            _ = failed.next()
            return -EMFILE
        }
        let stops = [patient.watch { _ in }, eager.watch { _ in }]
        try await eventually { failed.count >= 100 && opened.count >= 2 }
        // One for events and one for requests; the next after the retry interval of an hour.
        #expect(opened.count == 2)
        for stop in stops { stop() }
    }

    @Test("A kernel whose dump is interrupted at first receives events, and reports later")
    func wholeLater() async {
        let kernel = FakeKernel { question in
            guard question.type == Self.links, question.earlier < 20 else { return question.plain }
            return [question.links(flags: 0x12), question.done]
        }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        for await status in monitor.detailedStatusStream() where status.source == .system { break }
        #expect(monitor.currentStatus.primaryInterface?.name == "eth0")
        monitor.stopMonitoring()
    }

    @Test("A change without an event is detected some seconds after another change")
    func afterwards() async {
        let kernel = FakeKernel { question in
            // The links are requested once for the trial, and once when events are subscribed to.
            guard question.type == Self.links, question.earlier >= 2 else { return question.plain }
            return [question.links(bridges: 1), question.done]
        }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        for await status in monitor.detailedStatusStream() where status.interfaces.count == 3 { break }
        #expect(monitor.currentStatus.source == .system)
        monitor.stopMonitoring()
    }

    @Test(
        "A kernel that stops answering is asked three times, then files are read",
        arguments: [true, false])
    func silentLater(isSilent: Bool) async throws {
        // A timeout long enough for a busy machine to answer at first.
        let kernel = FakeKernel(patience: isSilent ? 5 : 20) { question in
            // The links are requested once for the trial, and once when events are subscribed to.
            guard question.type == Self.links, question.earlier >= 2 else { return question.plain }
            return isSilent ? [] : [question.refusal(EPERM)]
        }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        for await status in monitor.detailedStatusStream() where status.source == .polling { break }
        #expect(monitor.knownStatus?.source == .polling)
        // A refused request is sent eight times at each check.
        #expect(kernel.count(Self.links) == 2 + (isSilent ? 3 : 24))
        // The sockets are closed.
        try await eventually { kernel.held == 0 }
        monitor.stopMonitoring()
    }

    @Test("A kernel that answers again becomes the source again")
    func answersAgain() async {
        let kernel = FakeKernel { question in
            guard question.type == Self.links, (2..<26).contains(question.earlier) else { return question.plain }
            return [question.refusal(EPERM)]
        }
        let monitor = NetworkMonitor(kernel.watched(every: .milliseconds(1), again: .milliseconds(1)) {})
        monitor.startMonitoring()
        var sources: [NetworkStatus.Source] = []
        for await status in monitor.detailedStatusStream() where status.source != sources.last {
            sources.append(status.source)
            if sources.count == 3 { break }
        }
        #expect(sources == [.system, .polling, .system])
        monitor.stopMonitoring()
    }

    @Test("A kernel that is silent about uplinks times out once, not once per link")
    func silentAboutUplinks() {
        // A timeout long enough for a busy machine to answer the earlier requests.
        let kernel = FakeKernel(patience: 5) { question in
            if question.type == Self.links { return [question.links() + question.tunnel, question.done] }
            // The first two are for the routes of both families.
            return question.type == Self.routeQuery && question.earlier >= 2 ? [] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.routeQuery) == 3)
    }

    @Test("A link that comes up between two requests is requested once more")
    func incoherent() {
        let kernel = FakeKernel { question in
            guard question.type == Self.links, question.earlier == 0 else { return question.plain }
            // The cable, through which the route already leads, is not in the dump yet.
            return [Array(question.links().prefix(question.loopbackLength)), question.done]
        }
        let status = kernel.source.current()
        #expect(status.primaryInterface?.name == "eth0")
        #expect(kernel.count(Self.links) == 2)
    }
}

extension FakeKernel.Question {
    /// A tunnel, as the third link.
    fileprivate var tunnel: [UInt8] {
        let name = MessageBytes.attribute(3, Array("tun0\0".utf8))
        let kind = MessageBytes.attribute(18, MessageBytes.attribute(1, Array("tun\0".utf8)))
        return MessageBytes.message(16, flags: 2, sequence: sequence, MessageBytes.link(3, type: 65534, name + kind))
    }

    /// The length of the message of loopback, which is the first of the links.
    fileprivate var loopbackLength: Int { NetlinkBytes(links()[...]).number(UInt32.self, at: 0).map { Int($0) } ?? 0 }
}
#endif
