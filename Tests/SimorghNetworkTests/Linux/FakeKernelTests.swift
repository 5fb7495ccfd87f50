// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if os(Linux)
import Glibc
import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

/// What a kernel does that no test can make a true one do: it breaks off, answers others, or does not answer at all.
@Suite(.timeLimit(.minutes(5)))
struct FakeKernelTests {
    private static let links: UInt16 = 18
    private static let addresses: UInt16 = 22
    private static let way: UInt16 = 26

    @Test("What a kernel answers is understood")
    func plain() {
        let status = FakeKernel { $0.plain }.source.current()
        #expect(status.source == .system)
        #expect(status.primaryInterface?.name == "eth0")
        #expect(status.primaryInterface?.addresses == ["192.0.2.2"])
        #expect(status.supportsIPv4 && status.supportsIPv6)
    }

    @Test("What changed while it was told is asked for again")
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

    @Test("What changes faster than it is told is asked for eight times, and then the files are")
    func neverWhole() {
        let kernel = FakeKernel { question in
            question.type == Self.links ? [question.links(flags: 0x12), question.done] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.links) == 8)
    }

    @Test("A datagram that has no room is asked for again, with room for it")
    func large() {
        let kernel = FakeKernel { question in
            question.type == Self.links ? [question.links(bridges: 2000), question.done] : question.plain
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.interfaces.count == 2002)
        #expect(kernel.count(Self.links) == 2)
    }

    @Test("An answer to an earlier question, one that is cut short, and an acknowledgement are passed over")
    func foreign() {
        let kernel = FakeKernel { question in
            let earlier = FakeKernel.Question(
                type: question.type, sequence: question.sequence &- 1, family: question.family, earlier: 0)
            guard question.type != Self.way else { return [earlier.refusal(ENETUNREACH), question.way] }
            guard question.type == Self.links else { return question.plain }
            let cut = Array(question.links(bridges: 1).dropLast(8))
            return [earlier.links(bridges: 7), earlier.done, question.refusal(0), cut, question.done]
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.interfaces.map(\.name) == ["lo", "eth0"])
        #expect(status.isConnected)
    }

    @Test("A refused question is asked again, and a way that is refused is none", arguments: [EBUSY, EINTR, ENOMEM])
    func refused(number: CInt) {
        let kernel = FakeKernel { question in
            if question.type == Self.way { return [question.refusal(ENETUNREACH)] }
            return question.earlier == 0 ? [question.refusal(number)] : question.plain
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(!status.isConnected && !status.isIsolated)
        #expect(kernel.count(Self.links) == 2 && kernel.count(Self.addresses) == 2)
    }

    @Test(
        "A kernel that cannot tell the way, for want of memory or of the question, says nothing, and no loss is told",
        arguments: [ENOMEM, EOPNOTSUPP, EPERM])
    func wayUnknown(number: CInt) {
        let kernel = FakeKernel { question in
            question.type == Self.way ? [question.refusal(number)] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
    }

    @Test("A kernel without IPv6, which knows no question of it, has the ways of IPv4")
    func withoutIPv6() {
        let kernel = FakeKernel { question in
            guard question.type == Self.way, question.family == AF_INET6 else { return question.plain }
            return [question.refusal(EOPNOTSUPP)]
        }
        let status = kernel.source.current()
        #expect(status.source == .system)
        #expect(status.supportsIPv4 && !status.supportsIPv6)
    }

    @Test("Where questions are refused the files tell, and go on telling")
    func refusesAll() {
        let kernel = FakeKernel { [$0.refusal(EPERM)] }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        #expect(monitor.knownStatus?.source == .polling)
        monitor.stopMonitoring()
    }

    @Test("A kernel that is silent is waited for once, and not for each of the times that it is asked in")
    func silent() {
        let kernel = FakeKernel(patience: 1) { _ in [] }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.links) == 1)
    }

    @Test("A kernel that was silent is not waited for by who asks next")
    func silentJustNow() {
        let kernel = FakeKernel(patience: 1) { _ in [] }
        let source = kernel.source
        for _ in 0..<100 { #expect(source.current().source == .polling && source.glance().source == .polling) }
        // A hundred would take a hundred seconds, and ten pass before it is asked again.
        #expect(kernel.count(Self.links) <= 10)
    }

    @Test("A kernel that refuses is asked again when it is time; want of a descriptor is seen to at each look")
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
        // One for events and one for questions; millions of looks later the next.
        #expect(opened.count == 2)
        for stop in stops { stop() }
    }

    @Test("A kernel that cannot tell in full for now is listened to, and tells later")
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

    @Test("What changes without an event is seen some seconds after another change")
    func afterwards() async {
        let kernel = FakeKernel { question in
            // Asked for when the kernel is tried, and when it is listened to.
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
        "A kernel that answers no more after a good start is asked three times, and then the files are",
        arguments: [true, false])
    func silentLater(isSilent: Bool) async throws {
        // Long enough for a busy machine to answer at first.
        let kernel = FakeKernel(patience: isSilent ? 5 : 20) { question in
            // Asked for when the kernel is tried, and when it is listened to.
            guard question.type == Self.links, question.earlier >= 2 else { return question.plain }
            return isSilent ? [] : [question.refusal(EPERM)]
        }
        let monitor = NetworkMonitor(kernel.source)
        monitor.startMonitoring()
        for await status in monitor.detailedStatusStream() where status.source == .polling { break }
        #expect(monitor.knownStatus?.source == .polling)
        // What is refused is asked for eight times at each look.
        #expect(kernel.count(Self.links) == 2 + (isSilent ? 3 : 24))
        // And nobody listens to it any more.
        try await eventually { kernel.held == 0 }
        monitor.stopMonitoring()
    }

    @Test("A kernel that answers again is listened to again")
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

    @Test("A kernel that is silent about which links lead to the internet is waited for once, and not for each link")
    func silentAboutUplinks() {
        // Long enough for a busy machine to answer what comes before.
        let kernel = FakeKernel(patience: 5) { question in
            if question.type == Self.links { return [question.links() + question.tunnel, question.done] }
            // The first two are for the ways of both families.
            return question.type == Self.way && question.earlier >= 2 ? [] : question.plain
        }
        #expect(kernel.source.current().source == .polling)
        #expect(kernel.count(Self.way) == 3)
    }

    @Test("What comes up between two questions is asked for once more")
    func incoherent() {
        let kernel = FakeKernel { question in
            guard question.type == Self.links, question.earlier == 0 else { return question.plain }
            // The cable, which is the way already, is not there yet.
            return [Array(question.links().prefix(question.loopbackLength)), question.done]
        }
        let status = kernel.source.current()
        #expect(status.primaryInterface?.name == "eth0")
        #expect(kernel.count(Self.links) == 2)
    }
}

extension FakeKernel.Question {
    /// A tunnel, the third link.
    fileprivate var tunnel: [UInt8] {
        let name = MessageBytes.attribute(3, Array("tun0\0".utf8))
        let kind = MessageBytes.attribute(18, MessageBytes.attribute(1, Array("tun\0".utf8)))
        return MessageBytes.message(16, flags: 2, sequence: sequence, MessageBytes.link(3, type: 65534, name + kind))
    }

    /// How long the message of loopback is, the first of all links.
    fileprivate var loopbackLength: Int { NetlinkBytes(links()[...]).number(UInt32.self, at: 0).map { Int($0) } ?? 0 }
}
#endif
