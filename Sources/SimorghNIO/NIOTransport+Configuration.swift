// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import NIOCore
import NIOPosix
public import SimorghCore

extension NIOTransport {
    /// The limits, timeouts and threads of a transport; the transport keeps its own copy.
    public struct Configuration: Sendable {
        /// The maximum number of open connections over all hosts.
        ///
        /// Default: 256.
        public var maximumConnections = 256
        /// The maximum number of connections to one host.
        ///
        /// Default: 64.
        ///
        /// A host is identified by scheme, name, port and TLS options. The default is more than a browser's 6, because
        /// a server that calls a server has many users at once. A polite crawler sets fewer.
        public var maximumConnectionsPerHost = 64
        /// The maximum number of requests that wait for a connection to one host.
        ///
        /// Default: 10,000.
        ///
        /// Further requests fail at once.
        public var maximumWaitingPerHost = 10_000
        /// The maximum number of HTTP/2 connections to one host.
        ///
        /// Default: 4.
        ///
        /// One connection carries many requests; another is opened when the open ones have no free stream.
        public var maximumHTTP2ConnectionsPerHost = 4
        /// The maximum number of concurrent requests on one HTTP/2 connection.
        ///
        /// Default: 100.
        ///
        /// The server may allow fewer.
        public var maximumConcurrentStreams = 100
        /// The largest receive window of an HTTP/2 stream, in bytes.
        ///
        /// Default: 20 MiB.
        ///
        /// The window limits the unread bytes of one body, in memory and in transit, beyond the 512 KiB that a
        /// streamed response buffers.
        ///
        /// A stream starts with 512 KiB, or less if this value is less. It starts with more if the server is far away,
        /// and doubles when its reader consumes more than half of the window in one round trip, so that the path is
        /// fully used. Values are clamped to 65,535...2,147,483,647 (RFC 9113, section 6.9.1).
        public var maximumStreamWindow = 20 * 1024 * 1024
        /// The largest receive window of an HTTP/2 connection, in bytes.
        ///
        /// Default: 40 MiB.
        ///
        /// The window limits the bytes of all bodies that are in transit on one connection, and the sum by which the
        /// windows of its streams may exceed 512 KiB each.
        ///
        /// Together with `maximumConcurrentStreams` and the 512 KiB that each streamed response buffers, it limits the
        /// memory that stalled readers can hold: 140 MiB for a connection by default, and up to 1 MiB more for each
        /// response that is complete and unread. Values are clamped as for `maximumStreamWindow`.
        public var maximumConnectionWindow = 40 * 1024 * 1024
        /// The time after which a ping is sent to a silent HTTP/2 server.
        ///
        /// Default: 30 seconds.
        ///
        /// Pings are sent only while a response is pending. `nil` disables them.
        public var pingInterval: Duration? = .seconds(30)
        /// The time after which a connection whose HTTP/2 ping is unanswered counts as dead.
        ///
        /// Default: 10 seconds.
        public var pingTimeout: Duration = .seconds(10)
        /// The time that a connection may be idle before it is closed.
        ///
        /// Default: 60 seconds.
        public var idleTimeout: Duration = .seconds(60)
        /// The time to drain a body that no caller reads, so that its connection can be reused.
        package var lingeringTime: Duration = .milliseconds(50)
        /// The maximum number of new connections, over all hosts, that wait for their TLS context.
        ///
        /// Default: 65,536.
        ///
        /// Roots, certificates and keys are loaded once for each of the client's `TLSOptions`, a few at a time, and
        /// kept. They may have to be read from files, which can be slow on remote file systems. A connection waits for
        /// them no longer than `Timeouts.connect`. Further connections fail at once with the code
        /// `resourceUnavailable`. A value below 1 counts as 1.
        public var maximumWaitingForTLS = 65_536
        /// The resolver that looks up the addresses of hosts.
        ///
        /// Default: `nil`, the system's resolver.
        ///
        /// Each system lookup blocks a thread, so at most 16 names of each family are looked up at once over all
        /// transports of the process; a transport cannot change that limit. A custom resolver has no such limit.
        public var resolver: (any HostResolver)?
        /// The event loops that move the bytes.
        ///
        /// Default: the group that is shared by the process.
        ///
        /// The group must be a `MultiThreadedEventLoopGroup`. With any other group, such as `NIOTSEventLoopGroup` of
        /// swift-nio-transport-services, each request fails with the code `resourceUnavailable`.
        public var eventLoopGroup: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton

        /// Creates the default configuration.
        public init() {}
    }

    /// The counters of a transport's pool; they are maintained anyway, so reading them costs next to nothing.
    public struct Statistics: Sendable, Hashable {
        /// The connections that are open now.
        public var open = 0
        /// The open connections that wait for a request.
        public var idle = 0
        /// The open connections that carry a request.
        public var leased = 0
        /// The connections that are being opened.
        public var dialing = 0
        /// The requests that wait for a connection.
        public var waiting = 0
        /// The hosts that have a connection, open or being opened, or a waiting request.
        public var hosts = 0
        /// The connections that the transport has started to open since it was created, successful or not.
        public var dialed = 0
        /// The requests that got a connection which was not opened for them: it had carried another request, carries
        /// other requests, or was opened by prewarming.
        public var reused = 0
        /// The connections that the pool closed although they could have carried more requests: they were idle for too
        /// long, were closed to free capacity for another host, or were suspect because a similar one was found dead.
        public var evicted = 0

        /// Creates statistics in which all counters are zero.
        public init() {}
    }
}
