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
    /// The longest time a server may send nothing, in seconds.
    public var timeout: Double

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
public struct BackendFile: Sendable {
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
