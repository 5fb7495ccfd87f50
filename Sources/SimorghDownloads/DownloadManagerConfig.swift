// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
package import SimorghSupport

/// The settings of a ``DownloadManager``.
public struct DownloadManagerConfig: Sendable, Hashable {
    /// A minimum transfer speed and the time for which a transfer may be slower.
    public struct LowSpeed: Sendable, Hashable {
        /// The minimum acceptable speed, in bytes per second.
        public var bytesPerSecond: Int64
        /// The time for which the speed may be lower, in seconds.
        public var seconds: Double

        /// Creates a limit.
        ///
        /// - Parameters:
        ///   - bytesPerSecond: The minimum acceptable speed.
        ///   - seconds: The time for which the speed may be lower.
        public init(bytesPerSecond: Int64, seconds: Double) {
            self.bytesPerSecond = bytesPerSecond
            self.seconds = seconds
        }
    }

    /// The largest number of downloads that run at the same time.
    ///
    /// Default: 3; at least 1.
    public var maxConcurrentDownloads: Int
    /// The largest number of downloads that run at the same time from one host.
    ///
    /// Default: no separate limit.
    public var maxConcurrentPerHost: Int?
    /// The largest number of waiting downloads.
    ///
    /// Default: 100.
    public var maxQueueSize: Int
    /// The policy for retrying failed downloads.
    public var retryPolicy: DownloadRetryPolicy
    /// A Boolean value that indicates whether downloads may use a cellular network.
    ///
    /// Default: true.
    public var allowsCellularAccess: Bool
    /// A Boolean value that indicates whether downloads may use an expensive (metered) network.
    ///
    /// Default: true.
    public var allowsExpensiveNetworkAccess = true
    /// A Boolean value that indicates whether downloads may use a network in Low Data Mode; no network on Linux
    /// reports it.
    ///
    /// Default: true.
    public var allowsConstrainedNetworkAccess = true
    /// The folder of the downloads.
    ///
    /// Default: `nil`, which stands for one of these folders:
    ///
    /// | platform | folder |
    /// |---|---|
    /// | Linux | `$HOME/Documents/Downloads` |
    /// | iOS, visionOS, watchOS, and macOS in a sandbox | `Documents/Downloads` in the app's container |
    /// | macOS without a sandbox | `~/Library/Application Support/<bundle identifier>/Downloads`; the name of the program if it has no bundle |
    /// | tvOS | `Library/Caches/Downloads`, which the system may empty while the app does not run |
    ///
    /// On Apple platforms these folders are excluded from backups, because downloads can be fetched again; a folder
    /// that you set is not. Without a home folder, as a daemon may run, a manager throws ``DownloadError/file(_:)``.
    ///
    /// The manager holds a lock on a file of the folder. In a folder of an app group, close the manager before the app
    /// is suspended: the system ends an app that holds a lock there (`0xdead10cc`).
    public var downloadDirectory: URL?
    /// The disk space to keep free, in bytes, in addition to what running downloads still need.
    ///
    /// Default: 100 MiB.
    public var minFreeDiskSpace: Int64
    /// The longest time a server may send nothing, in seconds.
    ///
    /// Default: 60.
    public var timeoutInterval: Double
    /// The identifier of the background session that transfers the downloads on Apple platforms.
    ///
    /// On other platforms, downloads run only while the program runs. With or without an identifier, the next start
    /// resumes the downloads that the last one left. Use an identifier for one manager at a time; it must not be empty.
    ///
    /// The system decides on connections and speed. A background session does not keep these settings:
    /// - ``segments``, ``minimumSegmentSize``, ``maximumBytesPerSecond``, ``maximumBytesPerSecondPerHost`` and
    ///   ``lowSpeed``, which have no effect.
    /// - ``timeoutInterval``: the system retries a silent server until
    ///   ``DownloadRetryPolicy/backgroundTransferLimit``.
    /// - ``maxConcurrentDownloads``: the system gets all waiting downloads at once, and opens at most
    ///   ``maxConcurrentPerHost`` connections to a host (if `nil`, ``maxConcurrentDownloads``).
    /// - ``minFreeDiskSpace``, which is checked only when a download is enqueued with its size.
    /// - Network rules that change later: if they forbid more, the downloads that the system has got start over. If they
    ///   allow more, downloads that have received bytes keep theirs until they are paused and resumed.
    /// - The client's header fields, authentication, cookies and interceptors, which are not used. Downloads of a
    ///   client with route options fail with an error that names the option.
    ///
    /// The client's TLS options are those of the session as long as the process runs. With other options, another
    /// manager of the identifier fails its downloads with an error; retry them in the next process. Mirrors at other
    /// origins get no client certificate, so a client with one cannot use them in the background.
    public var backgroundSessionIdentifier: String?
    /// The identifier of the app group whose container holds the files of the background session.
    ///
    /// App extensions need it. Put ``downloadDirectory`` into the same container. Default: `nil`.
    public var sharedContainerIdentifier: String?
    /// A Boolean value that indicates whether background transfers may send header fields with secrets other than
    /// `Authorization`, such as `Cookie` and `X-API-Key`.
    ///
    /// A background session follows redirects by itself and sends such fields to other servers, too. If false,
    /// downloads with such fields fail. Default: false.
    public var allowsSecretFieldsInBackground = false
    /// A Boolean value that indicates whether unfinished downloads resume when the program starts again.
    ///
    /// Default: true.
    ///
    /// If false, they are paused.
    public var restoresAutomatically = true
    /// True if digests in the obsolete header fields `Digest` and `Content-MD5` are accepted.
    ///
    /// Default: false.
    public var acceptsLegacyDigests = false
    /// The number of connections that fetch one file, from 1 to 8.
    ///
    /// Default: 4.
    ///
    /// Over HTTP/2, a download starts with one connection. It opens further connections, which use HTTP/1.1, only if
    /// they increase the speed. If ``/SimorghCore/APIClient/Configuration/httpVersion`` is not `automatic`, it uses
    /// one.
    public var segments = 4
    /// The smallest segment worth a connection of its own, in bytes.
    ///
    /// Default: 4 MiB.
    public var minimumSegmentSize: Int64 = 4 * 1024 * 1024
    /// The bandwidth limit of all downloads together, in bytes per second; `nil` for no limit.
    public var maximumBytesPerSecond: Int64?
    /// The bandwidth limit of each host, in bytes per second; `nil` for no limit.
    public var maximumBytesPerSecondPerHost: Int64?
    /// The minimum speed of a connection; a slower connection is closed and opened again.
    ///
    /// Default: no minimum.
    public var lowSpeed: LowSpeed?
    /// The time after which a waiting download moves up one priority, in seconds.
    ///
    /// Default: 10 minutes.
    public var agingInterval: Double = 600
    /// The request priority of downloads on shared connections.
    ///
    /// Default: low, so that other requests go first.
    public var requestPriority = RequestPriority.low

    /// Returns the path of the downloads' folder.
    ///
    /// - Parameter folders: The folders of the system, for the default folder.
    /// - Returns: The path, without a slash at the end.
    /// - Throws: ``DownloadError/file(_:)`` if there is no default folder.
    package func directory(in folders: PlatformFolders) throws(DownloadError) -> String {
        guard let given = downloadDirectory?.path else {
            guard let known = folders.downloads else {
                throw .file(
                    "no home folder is known for downloads: set HOME or DownloadManagerConfig.downloadDirectory")
            }
            return known
        }
        let endsInSlash = given.utf8.count > 1 && given.utf8.last == UInt8(ascii: "/")
        return endsInSlash ? String(Substring(given.utf8.dropLast())) : given
    }

    /// Creates a configuration; values out of range are clamped.
    ///
    /// - Parameters:
    ///   - maxConcurrentDownloads: The largest number of downloads that run at the same time.
    ///   - maxQueueSize: The largest number of waiting downloads.
    ///   - retryPolicy: The policy for retrying failed downloads.
    ///   - allowsCellularAccess: True if downloads may use a cellular network.
    ///   - downloadDirectory: The folder of the downloads.
    ///   - minFreeDiskSpace: The disk space to keep free, in bytes.
    ///   - timeoutInterval: The longest time a server may send nothing, in seconds.
    ///   - backgroundSessionIdentifier: The identifier of the background session, on Apple platforms.
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
