// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNetwork
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LastReportedStatusTests {
    private static let cable = Device.ethernet("eth0", "192.168.1.8")
    private static let tunnel = Device.tun("tun0", "10.8.0.2")

    /// What was told of a picture.
    private static func news(_ picture: KernelNetworkSnapshot) -> LastReportedStatus {
        var news = LastReportedStatus()
        _ = news.isNews(picture.status)
        return news
    }

    @Test("The same is no news, and nothing is once it is over")
    func news() {
        let (here, gone) = (KernelNetworkSnapshot([Self.cable], v4: "eth0").status, KernelNetworkSnapshot([]).status)
        var news = LastReportedStatus()
        let first = [here, here, gone, gone, here].map { news.isNews($0) }
        #expect(first == [true, false, true, false, true])
        #expect(news.isConnected)
        news.stop()
        let last = news.isNews(gone)
        #expect(!last)
    }

    @Test("That no packet leaves is a loss for certain, and so is what ran and runs no more")
    func certain() {
        let news = Self.news(KernelNetworkSnapshot([Self.cable, Self.tunnel], v4: "eth0", v6: "eth0"))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel])))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable.withoutCarrier, Self.tunnel], v4: "eth0")))
        #expect(news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable.off, Self.tunnel], v6: "eth0")))
    }

    @Test("What has just come up, or is not among the links, is waited for")
    func uncertain() {
        let news = Self.news(KernelNetworkSnapshot([Self.cable, Self.tunnel.withoutCarrier], v4: "eth0"))
        // A way that still stands.
        #expect(!news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel], v4: "eth0")))
        // A tunnel that is the way already, and does not run yet.
        #expect(!news.isDefiniteLoss(KernelNetworkSnapshot([Self.cable, Self.tunnel.withoutCarrier], v4: "tun0")))
        // One family lost, and the other on its way.
        #expect(
            !news.isDefiniteLoss(
                KernelNetworkSnapshot([Self.cable.withoutCarrier, Self.tunnel.withoutCarrier], v4: "eth0", v6: "tun0")))
        // A way through a link that came after the links were told.
        var picture = KernelNetworkSnapshot([Self.cable], v4: "eth0")
        picture.ipv4?.outgoing = [77]
        #expect(!picture.isCoherent)
        #expect(!news.isDefiniteLoss(picture))
        #expect(KernelNetworkSnapshot([Self.cable], v4: "eth0").isCoherent)
        #expect(!KernelNetworkSnapshot([Self.cable.withoutCarrier], v4: "eth0").isCoherent)
        // Who is not connected loses nothing.
        #expect(!Self.news(KernelNetworkSnapshot([])).isDefiniteLoss(KernelNetworkSnapshot([])))
    }
}
