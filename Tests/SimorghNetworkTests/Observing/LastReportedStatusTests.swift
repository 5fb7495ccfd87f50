// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LastReportedStatusTests {
    private static let cable = Device.ethernet("eth0", addresses: "192.168.1.8")
    private static let tunnel = Device.tun("tun0", addresses: "10.8.0.2")

    /// Returns the state after a report.
    private static func news(_ snapshot: KernelNetworkSnapshot) -> LastReportedStatus {
        var news = LastReportedStatus()
        _ = news.recordIfChanged(snapshot.status)
        return news
    }

    @Test("An equal status is not news, and nothing is after stop()")
    func news() {
        let (here, gone) = (KernelNetworkSnapshot([Self.cable], v4: "eth0").status, KernelNetworkSnapshot([]).status)
        var news = LastReportedStatus()
        let first = [here, here, gone, gone, here].map { news.recordIfChanged($0) }
        #expect(first == [true, false, true, false, true])
        #expect(news.isConnected)
        news.stop()
        let last = news.recordIfChanged(gone)
        #expect(!last)
    }

    @Test("A loss is certain if no route exists, or if a link that ran does not run any more")
    func certain() {
        let news = Self.news(KernelNetworkSnapshot([Self.cable, Self.tunnel], v4: "eth0", v6: "eth0"))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel])))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable.withoutCarrier, Self.tunnel], v4: "eth0")))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable.off, Self.tunnel], v6: "eth0")))
    }

    @Test("A link that has just come up, or is not among the links, is not a certain loss")
    func uncertain() {
        let news = Self.news(KernelNetworkSnapshot([Self.cable, Self.tunnel.withoutCarrier], v4: "eth0"))
        // A route that still works.
        #expect(!news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel], v4: "eth0")))
        // A tunnel that is the route already, and does not run yet.
        #expect(!news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel.withoutCarrier], v4: "tun0")))
        // One family lost, and the route of the other through a link that does not run yet.
        #expect(
            !news.isDefiniteLoss(
                KernelNetworkSnapshot([Self.cable.withoutCarrier, Self.tunnel.withoutCarrier], v4: "eth0", v6: "tun0")))
        // A route through a link that was added after the dump of links.
        var snapshot = KernelNetworkSnapshot([Self.cable], v4: "eth0")
        snapshot.ipv4?.outgoing = [77]
        #expect(!snapshot.isCoherent)
        #expect(!news.isDefiniteLoss(snapshot))
        #expect(KernelNetworkSnapshot([Self.cable], v4: "eth0").isCoherent)
        #expect(!KernelNetworkSnapshot([Self.cable.withoutCarrier], v4: "eth0").isCoherent)
        // A disconnected machine loses nothing.
        #expect(!Self.news(KernelNetworkSnapshot([])).isDefiniteLoss(KernelNetworkSnapshot([])))
    }
}
