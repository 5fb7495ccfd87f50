// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension FaultProxy {
    /// What is wrong with one direction of a connection; nothing by default.
    public struct Faults: Sendable, Hashable {
        /// How long each byte is on its way; no time by default.
        public var delay: Duration = .zero
        /// How many bytes pass in a second; `nil`, the default, for as many as can.
        public var bytesPerSecond: Int?
        /// Pauses as a lost packet makes them, until it has been sent again; `nil`, the default, for none.
        public var pauses: Pauses?
        /// How the direction ends before its time; `nil`, the default, for not at all.
        public var cut: Cut?

        /// Creates a direction with nothing wrong.
        public init() {}
    }

    /// Pauses in a stream of bytes.
    public struct Pauses: Sendable, Hashable {
        /// After how many bytes each comes.
        public let bytes: Int
        /// How long it is.
        public let duration: Duration

        /// Creates pauses.
        ///
        /// - Parameters:
        ///   - bytes: After how many bytes each comes; at least one.
        ///   - duration: How long it is.
        public init(every bytes: Int, for duration: Duration) {
            self.bytes = max(1, bytes)
            self.duration = duration
        }
    }

    /// How one direction of a connection ends before its time.
    public struct Cut: Sendable, Hashable {
        /// What happens.
        public enum Ending: Sendable, Hashable, CaseIterable {
            /// The connection is closed, both ways.
            case close
            /// The connection is reset, both ways, as by a machine that has forgotten it.
            case reset
            /// Nothing more passes this way, and the connection stays open.
            case stall
            /// This way is closed; the other stays open.
            case halfClose
        }

        /// How many bytes pass before.
        public let bytes: Int
        /// What happens then.
        public let ending: Ending

        /// Creates an end.
        ///
        /// - Parameters:
        ///   - bytes: How many bytes pass before; with none it comes as soon as the connection stands.
        ///   - ending: What happens then.
        public init(after bytes: Int, _ ending: Ending) {
            self.bytes = max(0, bytes)
            self.ending = ending
        }
    }

    /// How a proxy is started.
    public struct Configuration: Sendable, Hashable {
        /// The port to listen on; 0, the default, takes a free one.
        public var port = 0
        /// What is wrong with what clients send; nothing by default.
        public var upstream = Faults()
        /// What is wrong with what the server sends; nothing by default.
        public var downstream = Faults()
        /// How many connections there may be at once; 1,000 by default.
        ///
        /// One more is closed as it comes.
        public var maximumConnections = 1000
        /// How many threads relay; 1 by default.
        public var threads = 1

        /// Creates the default configuration: a proxy with nothing wrong.
        public init() {}
    }
}
