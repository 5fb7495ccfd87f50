// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A backend that fetches whole files instead of the client, such as a system service that runs while the program does
/// not.
///
/// It only transfers bytes. The ``DownloadManager`` interprets the status, verifies length and hash, and names the
/// file. `SimorghURLSession` has a backend for Apple's background sessions.
public protocol DownloadBackend: Sendable {
    /// Fetches a file, or waits for a transfer of the same identifier that continues since an earlier run of the
    /// program.
    ///
    /// - Parameters:
    ///   - transfer: The file to fetch.
    ///   - progress: Called with the number of bytes received and the expected total.
    /// - Returns: The response, and the path of its body.
    /// - Throws: ``/SimorghCore/TransportError``. A cancelled task throws
    ///   ``/SimorghCore/TransportError/Code/cancelled``; the backend keeps received bytes, if it can, for the next
    ///   call with the same identifier.
    func fetch(
        _ transfer: BackendTransfer, progress: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws(TransportError) -> BackendFile

    /// Discards the kept bytes of a transfer.
    ///
    /// - Parameter id: The identifier of the transfer.
    func discard(_ id: UUID)

    /// Sets the action to call when the system has delivered all events of the time when the program did not run.
    ///
    /// - Parameter action: The action.
    func onBackgroundEventsHandled(_ action: @escaping @Sendable () -> Void)

    /// A Boolean value that indicates whether the backend has a queue of its own, with its own limits.
    ///
    /// The manager then passes on all waiting downloads at once, up to the sum of
    /// ``DownloadManagerConfig/maxConcurrentDownloads`` and ``DownloadManagerConfig/maxQueueSize``. It passes on the
    /// wait before a retry with ``BackendTransfer/earliestBegin``, and leaves the wait for a network to the backend.
    /// Default: false.
    var hasOwnQueue: Bool { get }

    /// Connects the backend with the folder of a manager and the TLS options of its client, before any download starts.
    ///
    /// The folder of a transfer is named after its identifier, in lowercase. The backend may keep files with the names
    /// `.fetched`, `.fetched.json` and `.resume` there; the manager removes them with the download. By default this
    /// does nothing.
    ///
    /// - Parameters:
    ///   - directory: The folder that holds the folders of the downloads.
    ///   - tls: The TLS options of the client, also for transfers that continue since an earlier run of the program. Each
    ///     transfer has them as well.
    func attach(directory: URL, tls: TLSOptions)

    /// Notes that the manager is closed or released, immediately before it cancels its calls.
    ///
    /// A backend that works without the program leaves the transfers of these calls running: the next call with the
    /// same identifier, of a later manager, continues them. By default this does nothing.
    func close()

    /// Stops a transfer that an earlier manager has left running, because its download is paused.
    ///
    /// The backend keeps received bytes, if it can, for the next ``fetch(_:progress:)``. By default this does nothing.
    ///
    /// - Parameter id: The identifier of the transfer.
    func pause(_ id: UUID)

    /// Records that the manager has verified and named a fetched file, or has given up on it.
    ///
    /// The manager does not call this for a file `.fetched` in the transfer's folder that it has left there, because it
    /// was stopped or the disk was full: the next ``fetch(_:progress:)`` of the transfer returns that file again.
    ///
    /// By default this does nothing.
    ///
    /// - Parameter id: The identifier of the transfer.
    func settle(_ id: UUID)

    /// Changes the priority of a transfer that was passed on.
    ///
    /// By default this does nothing.
    ///
    /// - Parameters:
    ///   - priority: The new priority.
    ///   - id: The identifier of the transfer.
    func setPriority(_ priority: DownloadPriority, of id: UUID)
}

extension DownloadBackend {
    /// False: the manager's limits apply.
    public var hasOwnQueue: Bool { false }

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - directory: The folder that holds the folders of the downloads.
    ///   - tls: The TLS options of the client.
    public func attach(directory: URL, tls: TLSOptions) {}

    /// Does nothing.
    public func close() {}

    /// Does nothing.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func pause(_ id: UUID) {}

    /// Does nothing.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func settle(_ id: UUID) {}

    /// Does nothing.
    ///
    /// - Parameters:
    ///   - priority: The new priority.
    ///   - id: The identifier of the transfer.
    public func setPriority(_ priority: DownloadPriority, of id: UUID) {}
}

/// A file that a ``DownloadBackend`` is to fetch.
public struct BackendTransfer: Sendable, Hashable {
    /// The identifier of the transfer; it stays the same after a restart of the program.
    public var id: UUID
    /// The URL to fetch.
    public var url: String
    /// The header fields of the request.
    public var headers: [String: String]
    /// A Boolean value that indicates whether a cellular network may be used.
    public var allowsCellularAccess: Bool
    /// A Boolean value that indicates whether an expensive (metered) network may be used.
    public var allowsExpensiveNetworkAccess: Bool
    /// A Boolean value that indicates whether a network in Low Data Mode may be used.
    public var allowsConstrainedNetworkAccess = true
    /// The longest time a server may send nothing, in seconds.
    public var timeout: Double
    /// The priority among the transfers of the backend.
    public var priority = DownloadPriority.normal
    /// The earliest time to begin; `nil` for now.
    public var earliestBegin: Date?
    /// The expected length of the file, in bytes; `nil` if unknown.
    public var expectedBytes: Int64?
    /// A Boolean value that indicates whether header fields with secrets other than `Authorization` may be sent.
    ///
    /// A backend that follows redirects by itself would send them to other servers.
    public var allowsSecretFields = false
    /// A Boolean value that indicates whether the transfer continues after a restart of the program without a request of
    /// the user.
    ///
    /// If the user has closed the program, a backend does not continue such a transfer but throws
    /// ``/SimorghCore/TransportError/Code/cancelled``, and the download is shown as paused.
    public var isRestored = false
    /// The TLS options of the client; the backend has to apply them or refuse the transfer.
    public var tls = TLSOptions()
    /// The proxies and routes of the client; the backend has to apply them or refuse the transfer.
    public var route = RouteOptions()

    package init(
        id: UUID, url: String, headers: [String: String], allowsCellularAccess: Bool,
        allowsExpensiveNetworkAccess: Bool, timeout: Double
    ) {
        self.id = id
        self.url = url
        self.headers = headers
        self.allowsCellularAccess = allowsCellularAccess
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.timeout = timeout
    }
}

/// A file that a ``DownloadBackend`` fetched.
public struct BackendFile: Sendable, Hashable {
    /// The URL that responded, after redirects.
    public var url: String
    /// The status code.
    public var status: Int
    /// The header fields.
    public var fields: HTTPFields
    /// The path of the body, which belongs to the caller.
    public var path: String

    /// Creates a file.
    ///
    /// - Parameters:
    ///   - url: The URL that responded, after redirects.
    ///   - status: The status code.
    ///   - fields: The header fields.
    ///   - path: The path of the body.
    public init(url: String, status: Int, fields: HTTPFields, path: String) {
        self.url = url
        self.status = status
        self.fields = fields
        self.path = path
    }
}
