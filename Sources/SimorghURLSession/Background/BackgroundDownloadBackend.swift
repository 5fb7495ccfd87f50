// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghDownloads
import Synchronization

/// A download backend that uses a background session of the system, which continues while the app does not run.
///
/// `DownloadManager` creates one if its configuration names a session. All backends of an identifier in a process share
/// one session, so a later manager continues the transfers of an earlier one.
///
/// The session judges servers by the TLS options of the manager's client, and keeps them as long as the process runs:
/// transfers of another manager with other options fail with an ``UnsupportedByURLSessionError``. The session exists from
/// ``attach(directory:tls:)`` on; before, the system holds its challenges. Transfers that an earlier run of the app has
/// begun under other options start over.
///
/// A fetched file is moved to the folder of its download at once, so that it survives the end of the process. The
/// session sends no cookies and no credentials of the app, only the header fields of the download. It follows redirects
/// by itself.
public final class BackgroundDownloadBackend: DownloadBackend {
    private struct State {
        var directory: String?
        var tls = TLSOptions()
        var action: (@Sendable () -> Void)?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let user = UUID()
    private let transfers: BackgroundTransfers.Provider

    /// Creates a backend.
    ///
    /// - Parameter transfers: Returns the transfers of the session.
    package init(transfers: @escaping BackgroundTransfers.Provider) { self.transfers = transfers }

    deinit {
        let state = state.withLock { $0 }
        if state.directory != nil { try? transfers(state.tls).detach(user) }
    }

    /// True: the session has a queue of its own.
    public var hasOwnQueue: Bool { true }

    /// Connects to the session; the files that it has fetched in the meantime go to the folders of their downloads.
    ///
    /// - Parameters:
    ///   - directory: The folder that holds the folders of the downloads.
    ///   - tls: The TLS options of the manager's client. If the session has other ones, or if one of their files cannot be
    ///     read, ``fetch(_:progress:)`` fails.
    public func attach(directory: URL, tls: TLSOptions) {
        state.withLock { ($0.directory, $0.tls, $0.isClosed) = (directory.path, tls, false) }
        _ = try? connected()
    }

    /// Fetches a file, or waits for a transfer that continues since an earlier run of the app.
    ///
    /// - Parameters:
    ///   - transfer: The file to fetch.
    ///   - progress: Called with the number of bytes received and the expected total.
    /// - Returns: The response, and the path of its body.
    /// - Throws: ``/SimorghCore/TransportError``; its cause is an ``UnsupportedByURLSessionError`` if the transfer has
    ///   TLS options that a session cannot apply, or other ones than the session has, route options, or header fields
    ///   with secrets that are not allowed. A server that is not trusted is an error of TLS, as in other requests.
    public func fetch(
        _ transfer: BackendTransfer, progress: @escaping @Sendable (Int64, Int64?) -> Void
    ) async throws(TransportError) -> BackendFile {
        let order = BackgroundOrder(transfer)
        try BackgroundRequestValidation.check(
            order, tls: transfer.tls, route: transfer.route, allowsSecrets: transfer.allowsSecretFields)
        guard let transfers = try connected() else { throw BackgroundRequestValidation.otherTrust("of this backend") }
        try transfers.check(transfer.tls)
        do throws(BackgroundTransferError) {
            return try await transfers.transfer(
                order, isClosed: { [self] in state.withLock { $0.isClosed } }, progress: progress)
        } catch {
            throw error.transportError
        }
    }

    /// Lets the system continue the transfers whose calls are cancelled from now on.
    public func close() { state.withLock { $0.isClosed = true } }

    /// Stops a transfer that an earlier manager has left running.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func pause(_ id: UUID) { (try? connected())?.pause(id) }

    /// Discards the kept bytes of a transfer.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func discard(_ id: UUID) { (try? connected())?.discard(id) }

    /// Records that the manager has verified and named a fetched file, or has given up on it.
    ///
    /// - Parameter id: The identifier of the transfer.
    public func settle(_ id: UUID) { (try? connected())?.settle(id) }

    /// Changes the priority of a transfer.
    ///
    /// - Parameters:
    ///   - priority: The new priority.
    ///   - id: The identifier of the transfer.
    public func setPriority(_ priority: DownloadPriority, of id: UUID) {
        (try? connected())?.setPriority(BackgroundOrder.priority(priority), of: id)
    }

    /// Sets the action to call when the system has delivered all events of the time when the app did not run, and the
    /// manager has verified and named the files; at most ten seconds after the delivery.
    ///
    /// - Parameter action: The action.
    public func onBackgroundEventsHandled(_ action: @escaping @Sendable () -> Void) {
        state.withLock { $0.action = action }
        _ = try? connected()
    }

    /// Returns the transfers of the session; `nil` before the backend is attached, since a session without TLS options
    /// would answer challenges without them.
    private func connected() throws(TransportError) -> BackgroundTransfers? {
        let state = state.withLock { $0 }
        guard let directory = state.directory else { return nil }
        let transfers = try transfers(state.tls)
        transfers.attach(directory, user: user, action: state.action)
        return transfers
    }
}

extension BackgroundOrder {
    init(_ transfer: BackendTransfer) {
        // As the system reports it.
        let url = URL(string: transfer.url)?.absoluteString ?? transfer.url
        self.init(id: transfer.id, url: url, headers: transfer.headers)
        allowsCellularAccess = transfer.allowsCellularAccess
        allowsExpensiveNetworkAccess = transfer.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = transfer.allowsConstrainedNetworkAccess
        timeout = transfer.timeout
        priority = Self.priority(transfer.priority)
        earliestBegin = transfer.earliestBegin
        expectedBytes = transfer.expectedBytes
        isRestored = transfer.isRestored
    }

    /// Returns the priority of a task, from 0 to 1.
    static func priority(_ priority: DownloadPriority) -> Float {
        switch priority {
        case .low: 0.25
        case .normal: 0.5
        case .high: 0.75
        case .critical: 1
        }
    }
}
