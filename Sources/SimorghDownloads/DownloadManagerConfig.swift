// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

/// How a ``DownloadManager`` behaves.
public struct DownloadManagerConfig: Sendable, Hashable {
    /// How little is too little.
    public struct LowSpeed: Sendable, Hashable {
        /// Bytes a second.
        public var bytesPerSecond: Int64
        /// How long it may be less, in seconds.
        public var seconds: Double

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - bytesPerSecond: How little is too little.
        ///   - seconds: How long it may be less.
        public init(bytesPerSecond: Int64, seconds: Double) {
            self.bytesPerSecond = bytesPerSecond
            self.seconds = seconds
        }
    }

    /// How many downloads run at a time; 3 by default, at least 1.
    public var maxConcurrentDownloads: Int
    /// How many of them from one host; as many as there may be in all by default.
    public var maxConcurrentPerHost: Int?
    /// How many may wait; 100 by default.
    public var maxQueueSize: Int
    /// How often one is tried again.
    public var retryPolicy: DownloadRetryPolicy
    /// Whether the network of a mobile phone may be used; on by default.
    public var allowsCellularAccess: Bool
    /// Whether a network that costs money may be used; on by default.
    public var allowsExpensiveNetworkAccess = true
    /// Where downloads are kept; `Downloads` in the user's documents where it is `nil`.
    public var downloadDirectory: URL?
    /// How many bytes stay free on the disk, beside what running downloads still need; 100 MiB by default.
    public var minFreeDiskSpace: Int64
    /// How long a server may be silent, in seconds; 60 by default.
    public var timeoutInterval: Double
    /// On Apple's systems the name of the background session that carries the downloads.
    ///
    /// Elsewhere nothing runs when the
    /// program does not: the next start goes on where the last one stopped, as it does without a name.
    public var backgroundSessionIdentifier: String?
    /// Whether downloads that ran or waited when the program ended go on by themselves; on by default.
    ///
    /// Where it is off they are paused.
    public var restoresAutomatically = true
    /// Whether hashes of servers in the obsolete fields `Digest` and `Content-MD5` count, too; off by default.
    public var acceptsLegacyDigests = false
    /// How many connections fetch one file, from 1 to 8; 4 by default.
    ///
    /// Over HTTP/2 a download begins with one, and opens others, which speak HTTP/1.1, only if they make it faster. If
    /// ``/SimorghCore/APIClient/Configuration/httpVersion`` is not `automatic`, it is one.
    public var segments = 4
    /// The smallest part worth a connection of its own, in bytes; 4 MiB by default.
    public var minimumSegmentSize: Int64 = 4 * 1024 * 1024
    /// The most bytes a second for all together; `nil` for as many as come.
    public var maximumBytesPerSecond: Int64?
    /// The most bytes a second from one host; `nil` for as many as come.
    public var maximumBytesPerSecondPerHost: Int64?
    /// When a connection that hardly brings anything is given up and made anew; never by default.
    public var lowSpeed: LowSpeed?
    /// How long a waiting download takes to reach the next priority, in seconds; 10 minutes by default.
    public var agingInterval: Double = 600
    /// Which priority of requests it uses on the connections; low by default, so that calls come first.
    public var requestPriority = RequestPriority.low

    /// Creates a configuration; what makes no sense is moved to what does.
    ///
    /// - Parameters:
    ///   - maxConcurrentDownloads: How many run at a time.
    ///   - maxQueueSize: How many may wait.
    ///   - retryPolicy: How often one is tried again.
    ///   - allowsCellularAccess: Whether the network of a mobile phone may be used.
    ///   - downloadDirectory: Where downloads are kept.
    ///   - minFreeDiskSpace: How many bytes stay free.
    ///   - timeoutInterval: How long a server may be silent, in seconds.
    ///   - backgroundSessionIdentifier: The background session, on Apple's systems.
    public init(
        maxConcurrentDownloads: Int = 3,
        maxQueueSize: Int = 100,
        retryPolicy: DownloadRetryPolicy = DownloadRetryPolicy(),
        allowsCellularAccess: Bool = true,
        downloadDirectory: URL? = nil,
        minFreeDiskSpace: Int64 = 100 * 1024 * 1024,
        timeoutInterval: Double = 60,
        backgroundSessionIdentifier: String? = nil
    ) {
        self.maxConcurrentDownloads = max(1, maxConcurrentDownloads)
        self.maxQueueSize = max(0, maxQueueSize)
        self.retryPolicy = retryPolicy
        self.allowsCellularAccess = allowsCellularAccess
        self.downloadDirectory = downloadDirectory
        self.minFreeDiskSpace = max(0, minFreeDiskSpace)
        self.timeoutInterval = timeoutInterval > 0 ? timeoutInterval : 60
        self.backgroundSessionIdentifier = backgroundSessionIdentifier
    }
}
