// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh
package import SimorghTesting

/// The options of `simorgh proxy` that describe the connection.
package struct FaultArguments: ParsableArguments {
    /// The part of a connection that has the faults.
    package enum Direction: String, ExpressibleByArgument, CaseIterable, Sendable {
        case both, up, down
    }

    /// The end of a connection.
    package enum Ending: String, ExpressibleByArgument, CaseIterable, Sendable {
        case close, reset, stall
        case halfClose = "half-close"

        var ending: FaultProxy.Cut.Ending {
            switch self {
            case .close: .close
            case .reset: .reset
            case .stall: .stall
            case .halfClose: .halfClose
            }
        }
    }

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Delay each direction, for example by 200ms or 1.5s; a round trip takes twice as long.",
            valueName: "duration"))
    package var latency: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Let this many bytes pass per second, for example 500k or 2M.", valueName: "bytes"))
    package var bandwidth: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Lose this part of the packets, for example 1%, up to 50%. Each lost one delays what follows until it would \
            have been sent again.
            """, valueName: "percent"))
    package var loss: String?

    @Option(
        name: .customLong("cut-after"), parsing: .unconditional,
        help: ArgumentHelp("End each connection after this many bytes, for example 1M.", valueName: "bytes"))
    package var cutAfter: String?

    @Option(help: "The end of --cut-after. Default: reset.")
    package var cut: Ending?

    @Option(help: "The direction with the faults: from client to server (up), from server to client (down), or both.")
    package var direction = Direction.both

    package init() {}

    /// The longest delay, 10 minutes.
    package static let maximumLatency = Duration.seconds(600)
    /// The size of a packet, in bytes: that of a TCP segment in an Ethernet frame.
    package static let packetBytes = 1460.0
    /// The shortest time until a lost packet is sent again: TCP's retransmission timeout on Linux.
    package static let retransmission = Duration.milliseconds(200)

    /// Returns the faults of both directions.
    ///
    /// - Throws: ``CommandError`` for a value that is not valid.
    package func faults() throws(CommandError) -> (upstream: FaultProxy.Faults, downstream: FaultProxy.Faults) {
        var faults = FaultProxy.Faults()
        if let latency {
            guard let delay = Quantity.duration(latency), delay <= Self.maximumLatency else {
                throw .usage("--latency takes a duration of at most 10 minutes, such as 200ms or 1.5s")
            }
            faults.delay = delay
        }
        if let bandwidth {
            guard let rate = Quantity.bytes(bandwidth).flatMap({ Int(exactly: $0) }), rate > 0 else {
                throw .usage("--bandwidth takes bytes per second, such as 500k or 2M")
            }
            faults.bytesPerSecond = rate
        }
        if let loss {
            guard let share = Quantity.share(loss), share <= 0.5 else {
                throw .usage("--loss takes a part of at most 50%, such as 1% or 0.1%")
            }
            // A share below one packet in 1.4 TB has no effect.
            if share >= 1e-9 {
                var pauses = FaultProxy.Pauses(
                    every: Int(Self.packetBytes / share), for: Self.retransmission + faults.delay * 2)
                pauses.beginsAtRandom = true
                faults.pauses = pauses
            }
        }
        guard cut == nil || cutAfter != nil else { throw .usage("--cut requires --cut-after") }
        if let cutAfter {
            guard let bytes = Quantity.bytes(cutAfter).flatMap({ Int(exactly: $0) }) else {
                throw .usage("--cut-after takes a number of bytes, such as 500k or 1M")
            }
            faults.cut = .init(after: bytes, (cut ?? .reset).ending)
        }
        let none = FaultProxy.Faults()
        return (direction == .down ? none : faults, direction == .up ? none : faults)
    }
}
#endif
