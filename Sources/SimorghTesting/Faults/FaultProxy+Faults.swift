// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension FaultProxy {
    /// The faults of one direction of a connection; none by default.
    public struct Faults: Sendable, Hashable {
        /// The delay of each byte; zero by default.
        public var delay: Duration = .zero
        /// The bandwidth in bytes per second; `nil`, the default, for no limit.
        public var bytesPerSecond: Int?
        /// Pauses like those of lost packets until retransmission; `nil`, the default, for none.
        public var pauses: Pauses?
        /// The premature end of the direction; `nil`, the default, for none.
        public var cut: Cut?

        /// Creates a direction without faults.
        public init() {}
    }

    /// Pauses in a stream of bytes.
    public struct Pauses: Sendable, Hashable {
        /// The number of bytes between pauses.
        public let bytes: Int
        /// The duration of a pause.
        public let duration: Duration
        /// True if the first pause of a connection is at a random byte, so that short connections have some, too.
        package var beginsAtRandom = false

        /// Creates pauses.
        ///
        /// - Parameters:
        ///   - bytes: The number of bytes between pauses; at least 1.
        ///   - duration: The duration of a pause.
        public init(every bytes: Int, for duration: Duration) {
            self.bytes = max(1, bytes)
            self.duration = duration
        }
    }

    /// The premature end of one direction of a connection.
    public struct Cut: Sendable, Hashable {
        /// The kind of end.
        public enum Ending: Sendable, Hashable, CaseIterable {
            /// The connection is closed in both directions.
            case close
            /// The connection is reset in both directions, as by a host that has lost its state.
            case reset
            /// Nothing more passes in this direction, and the connection stays open.
            case stall
            /// This direction is closed; the other stays open.
            case halfClose
        }

        /// The number of bytes that pass before the end.
        public let bytes: Int
        /// The kind of end.
        public let ending: Ending

        /// Creates an end.
        ///
        /// - Parameters:
        ///   - bytes: The number of bytes that pass before it; with 0 it occurs as soon as the connection is
        ///     established.
        ///   - ending: The kind of end.
        public init(after bytes: Int, _ ending: Ending) {
            self.bytes = max(0, bytes)
            self.ending = ending
        }
    }

    /// The configuration of a proxy.
    public struct Configuration: Sendable, Hashable {
        /// The port to listen on; 0, the default, chooses a free one.
        public var port = 0
        /// The faults of the direction from client to server; none by default.
        public var upstream = Faults()
        /// The faults of the direction from server to client; none by default.
        public var downstream = Faults()
        /// The maximum number of concurrent connections; 1,000 by default.
        ///
        /// Further connections are closed immediately.
        public var maximumConnections = 1000
        /// The number of event loop threads; 1 by default.
        public var threads = 1

        /// Creates the default configuration: a proxy without faults.
        public init() {}
    }
}
