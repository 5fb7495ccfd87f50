// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import NIOCore
import NIOPosix
public import SimorghCore

extension NIOTransport {
    /// How a transport uses connections; it keeps its own copy.
    public struct Configuration: Sendable {
        /// The most connections at once, over all hosts; 256 by default.
        public var maximumConnections = 256
        /// The most connections at once to one host, told by scheme, name, port and TLS options; 64 by default.
        ///
        /// More than a browser's 6, since a server that calls a server has many users at once; a crawler that wants to
        /// be polite sets fewer.
        public var maximumConnectionsPerHost = 64
        /// The most requests that wait for a connection to one host; 10,000 by default.
        ///
        /// Another one fails at once.
        public var maximumWaitingPerHost = 10_000
        /// The most HTTP/2 connections at once to one host; 4 by default.
        ///
        /// One carries many requests; another is opened when no stream is left on those that are open.
        public var maximumHTTP2ConnectionsPerHost = 4
        /// The most requests at once on one HTTP/2 connection, where the server allows as many; 100 by default.
        public var maximumConcurrentStreams = 100
        /// The largest receive window of an HTTP/2 stream, in bytes: how much of one body may lie unread, in memory and on
        /// its way, beyond the 512 KiB that a streamed response has at hand; 20 MiB by default.
        ///
        /// A stream has 512 KiB, or less if this is less. It begins with more if the server is far away, and grows to twice
        /// its size when its reader takes more than half of it in a round trip, so that the path is used. A smaller value
        /// than 65,535 counts as that, and a larger one than 2,147,483,647 as that (RFC 9113, section 6.9.1).
        public var maximumStreamWindow = 20 * 1024 * 1024
        /// How many bytes of all bodies may be on their way on one HTTP/2 connection, and by how much the windows of all its
        /// streams together may exceed 512 KiB for each; 40 MiB by default.
        ///
        /// With `maximumConcurrentStreams` and the 512 KiB that each streamed response has at hand it bounds what readers who
        /// stop can hold: 140 MiB for a connection, by default, and up to 1 MiB more for each response that has come whole and
        /// is kept unread. It has the bounds of `maximumStreamWindow`.
        public var maximumConnectionWindow = 40 * 1024 * 1024
        /// How long an HTTP/2 server may send nothing while it owes an answer, before it is sent a ping; 30 seconds by
        /// default, `nil` sends none.
        public var pingInterval: Duration? = .seconds(30)
        /// How long an HTTP/2 server may take to answer a ping before its connection counts as dead; 10 seconds by
        /// default.
        public var pingTimeout: Duration = .seconds(10)
        /// How long a connection may be idle before it is closed; 60 seconds by default.
        public var idleTimeout: Duration = .seconds(60)
        /// How long the end of a body is waited for that nobody reads, so that its connection can be used again.
        package var lingeringTime: Duration = .milliseconds(50)
        /// The most connections to be that wait at once, over all hosts, until what their TLS needs is made ready; 65,536
        /// by default.
        ///
        /// Roots, certificates and keys are made ready once for each of the client's `TLSOptions`, a few at a time, and
        /// kept; they may have to be read from files, which can take long where those lie far away. What waits for them
        /// waits no longer than `Timeouts.connect`. Another one fails at once, with the code `resourceUnavailable`; one
        /// that is less than 1 counts as 1.
        public var maximumWaitingForTLS = 65_536
        /// Who looks the addresses of hosts up; `nil`, the default, for the system.
        ///
        /// The system is asked for 16 names of each family at once, over all transports of the process, as each blocks a
        /// thread: that is not for one transport to set. A resolver of one's own has no such bound.
        public var resolver: (any HostResolver)?
        /// The threads that move the bytes; by default those that all of this process share.
        public var eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

        /// Creates the default configuration.
        public init() {}
    }

    /// What a transport's pool holds and has done: counts that are kept anyway, so that asking costs next to nothing.
    public struct Statistics: Sendable, Hashable {
        /// Connections that are open now.
        public var open = 0
        /// Of these, the ones that wait for a request.
        public var idle = 0
        /// Of these, the ones that carry a request.
        public var leased = 0
        /// Connections that are being opened.
        public var dialling = 0
        /// Requests that wait for a connection.
        public var waiting = 0
        /// Hosts that have a connection, open or being opened, or a request that waits for one.
        public var hosts = 0
        /// Connections that were dialled since the transport was made, whether or not they came about.
        public var dialled = 0
        /// Requests that got a connection which was not opened for them: it had carried another one, carries others, or
        /// was opened before anybody asked for it.
        public var reused = 0
        /// Connections that the pool closed although they could have carried more: they had idled too long, made room
        /// for another host, or were suspect because one like them was found dead.
        public var evicted = 0

        /// Creates statistics of nothing.
        public init() {}
    }
}
