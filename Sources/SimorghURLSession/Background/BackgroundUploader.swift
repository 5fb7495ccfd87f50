// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghDownloads
import SimorghSupport
import Synchronization

/// Uploads files with a background session of the system, which continues while the app does not run.
///
/// ```swift
/// let support = try FileManager.default.url(
///     for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
/// let uploader = try BackgroundUploader(
///     identifier: "com.example.uploads", directory: support.appending(path: "uploads"))
/// if let url = URL(string: "https://example.com/films") {
///     let video = support.appending(path: "film.mov")
///     let response = try await uploader.upload(BackgroundUpload(file: video, to: url))
/// }
/// ```
/// After a restart of the app, create the uploader with the same identifier and folder, and call ``upload(_:progress:)``
/// for each of ``unfinishedUploads``: it waits for the transfer that continues, or returns the response that has come in
/// the meantime.
///
/// The system retries lost connections for up to seven days, follows redirects, and sends no cookies or credentials of
/// the app. If the server supports resumable uploads (IETF draft), it resumes; `ResumableUpload` of an `APIClient` has
/// more protocols, but runs only while the app runs. Only Apple platforms have such sessions.
///
/// iOS may move the app's container between two launches. An upload is found again if its file is in the container, or
/// in the folder of the uploader: ``unfinishedUploads`` has the current paths.
public final class BackgroundUploader: Sendable {
    private let user = UUID()
    private let directory: String
    private let tls: TLSOptions
    private let transfers: BackgroundTransfers.Provider
    private let completion: BackgroundCompletion

    /// Creates an uploader that connects to the session of a name.
    ///
    /// - Parameters:
    ///   - identifier: The name of the session, for this uploader alone; not empty.
    ///   - directory: A folder for the state of the uploads, for this uploader alone; for example in Application
    ///     Support, on tvOS in Caches.
    ///   - sharedContainerIdentifier: The app group whose container holds the files of the session; app extensions need
    ///     it. Default: `nil`.
    ///   - tls: The trust for servers: roots, pins, an evaluation, an identity in PKCS #12 or of the keychain, TLS
    ///     versions, and rules for hosts. The session keeps them as long as the process runs. Default: the trust of the
    ///     system.
    /// - Throws: ``/SimorghCore/TransportError`` if the folder cannot be created; with ``UnsupportedByURLSessionError`` as
    ///   its cause for TLS options that a session cannot apply, and if the session has other TLS options already; on
    ///   other platforms than Apple's always.
    public convenience init(
        identifier: String, directory: URL, sharedContainerIdentifier: String? = nil, tls: TLSOptions = TLSOptions()
    ) throws {
        var settings = BackgroundSessionSettings(identifier: identifier)
        settings.sharedContainerIdentifier = sharedContainerIdentifier
        try settings.validate()
        try self.init(directory: directory, tls: tls, transfers: BackgroundTransfers.system(settings))
    }

    /// Creates an uploader that uses the transfers of a session.
    package init(
        directory: URL, tls: TLSOptions = TLSOptions(), transfers: @escaping BackgroundTransfers.Provider
    ) throws(TransportError) {
        try BackgroundRequestValidation.check(tls, for: nil)
        // First: after a failure, no session must exist that receives responses without a folder for them.
        do {
            try DownloadFileSystem.makeFolder(directory.path)
        } catch {
            throw Self.fileError(error)
        }
        self.directory = directory.path
        self.tls = tls
        self.transfers = transfers
        completion = BackgroundCompletion(time: .system)
        let forgotten = forgottenUploads
        let session = try trusted()
        for folder in forgotten { session.discard(folder.id) { Self.removeFiles(of: folder) } }
    }

    deinit { try? transfers(tls).detach(user) }

    /// Uploads a file and waits for the response, or waits for an upload of the same identifier that continues since an
    /// earlier run of the app.
    ///
    /// All uploads are passed to the system at once. The response belongs to the first caller: the upload is then
    /// forgotten, whatever its status.
    ///
    /// - Parameters:
    ///   - upload: The file and its destination.
    ///   - progress: Called with the number of bytes sent and the total, if known. Default: nothing.
    /// - Returns: The response.
    /// - Throws: ``/SimorghCore/TransportError``. A cancelled task throws
    ///   ``/SimorghCore/TransportError/Code/cancelled`` and pauses the upload, which stays in ``unfinishedUploads``, as
    ///   it does if the user closes the app; after other errors it is forgotten. A response of more than 1 MiB is an
    ///   error.
    @concurrent
    public func upload(
        _ upload: BackgroundUpload, progress: @escaping @Sendable (_ sent: Int64, _ total: Int64?) -> Void = { _, _ in }
    ) async throws -> BackgroundUploadResponse {
        let order = BackgroundOrder(upload, in: directory)
        try BackgroundRequestValidation.check(
            order, tls: tls, route: RouteOptions(), allowsSecrets: upload.allowsSecretFields)
        let transfers = try trusted()
        try record(upload)
        do throws(BackgroundTransferError) {
            let file = try await transfers.transfer(order, progress: progress)
            let body = FileBytes.prefix(of: file.path, upTo: BackgroundTransfers.maximumResponse)
            await forgetNow(upload.id)
            guard let body else { throw .file("the response at \(file.path) could not be read") }
            return BackgroundUploadResponse(url: file.url, status: file.status, fields: file.fields, body: Data(body))
        } catch {
            if error != .cancelled, error != .closedByUser { await forgetNow(upload.id) }
            throw error.transportError
        }
    }

    /// Cancels an upload and forgets it.
    ///
    /// - Parameter id: The identifier of the upload.
    public func cancel(id: UUID) { forget(id) }

    /// The uploads whose response no caller has received yet, without the credentials among their header fields.
    public var unfinishedUploads: [BackgroundUpload] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().compactMap { name in
            let path = "\(directory)/\(name)/\(Self.recordName)"
            guard let bytes = FileBytes.prefix(of: path, upTo: Self.maximumRecord) else { return nil }
            let record = try? JSONDecoder().decode(Record.self, from: Data(bytes))
            // Without the folder: a record of an earlier release.
            var upload = record?.upload ?? (try? JSONDecoder().decode(BackgroundUpload.self, from: Data(bytes)))
            if let file = upload?.file { upload?.file = currentFile(file, oldDirectory: record?.directory) }
            return upload
        }
    }

    /// Returns the current location of the file of a recorded upload.
    private func currentFile(_ file: URL, oldDirectory: String?) -> URL {
        guard !DownloadFileSystem.exists(file.path) else { return file }
        return URL(
            filePath: ContainerPath.current(
                file.path, oldDirectory: oldDirectory, directory: directory, home: PlatformFolders.current.home))
    }

    /// The stored form of an upload.
    private struct Record: Codable {
        var upload: BackgroundUpload
        /// The path of the uploader's folder, which the system may move together with the file.
        var directory: String
    }

    /// Waits until the system has delivered the events of the time when the app did not run, and callers have received
    /// the responses.
    ///
    /// For SwiftUI's `.backgroundTask(.urlSession(identifier))`; a UIKit app calls the system's completion handler
    /// afterwards. It returns at once if that happened up to 30 seconds ago while no call waited for it, and if the
    /// task is cancelled.
    public func backgroundEventsHandled() async { await completion.wait() }

    private static let recordName = "upload.json"
    /// The largest record to read, in bytes.
    private static let maximumRecord = 1024 * 1024

    private static func fileError(_ error: any Error) -> TransportError {
        TransportError(.unknown, phase: .total, message: "\(error)", requestMayHaveBeenSent: false, underlying: error)
    }

    /// Returns the transfers of the session if it has the uploader's TLS options.
    private func trusted() throws(TransportError) -> BackgroundTransfers {
        try transfers(tls).check(tls)
        return try connected()
    }

    private func connected() throws(TransportError) -> BackgroundTransfers {
        let transfers = try transfers(tls)
        transfers.attach(directory, user: user) { [completion] in _ = completion.eventsHandled() }
        return transfers
    }

    /// Writes the upload to disk, before anything is sent.
    private func record(_ upload: BackgroundUpload) throws(TransportError) {
        let folder = DownloadFolder(in: directory, id: upload.id).path
        var upload = upload
        upload.headers = upload.headers.filter {
            !BackgroundRequestValidation.secretFields.contains($0.key.lowercased())
        }
        do {
            try DownloadFileSystem.makeFolder(folder)
            let record = Record(upload: upload, directory: directory)
            try JSONEncoder().encode(record).write(to: URL(filePath: "\(folder)/\(Self.recordName)"), options: .atomic)
        } catch {
            throw Self.fileError(error)
        }
    }

    /// Removes the files of an upload and waits for it, so that the same upload can begin again.
    private func forgetNow(_ id: UUID) async {
        await withCheckedContinuation { continuation in forget(id) { continuation.resume() } }
    }

    private func forget(_ id: UUID, completion: @escaping @Sendable () -> Void = {}) {
        let folder = DownloadFolder(in: directory, id: id)
        try? DownloadFileSystem.remove("\(folder.path)/\(Self.recordName)")
        guard let transfers = try? connected() else {
            // No session can be made, so that this upload has no task.
            Self.removeFiles(of: folder)
            return completion()
        }
        transfers.settle(id)
        // Not at once: this may be called by a callback of the session.
        transfers.discard(id) {
            Self.removeFiles(of: folder)
            completion()
        }
    }

    private static func removeFiles(of folder: DownloadFolder) {
        for path in folder.backendFiles { try? DownloadFileSystem.remove(path) }
        DownloadFileSystem.removeFolder(folder.path)
    }

    /// The folders of uploads that an earlier process was about to forget.
    private var forgottenUploads: [DownloadFolder] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.compactMap { name in
            guard let id = UUID(uuidString: name) else { return nil }
            let folder = DownloadFolder(in: directory, id: id)
            // Its drafts are those of a record that was never completed.
            TemporaryFiles.sweepAll(in: folder.path, of: DownloadFolder.backendNames.union([Self.recordName]))
            let isKnown = DownloadFileSystem.exists("\(folder.path)/\(Self.recordName)")
            return isKnown || DownloadFileSystem.exists(folder.journal) ? nil : folder
        }
    }
}

extension BackgroundOrder {
    fileprivate init(_ upload: BackgroundUpload, in directory: String) {
        self.init(id: upload.id, url: upload.url.absoluteString, headers: upload.headers)
        method = upload.method
        file = upload.file.path
        fileKey = ContainerPath.key(of: upload.file.path, in: directory)
        // The app uploads again after a restart, perhaps without a request of the user.
        isRestored = true
        allowsCellularAccess = upload.allowsCellularAccess
        allowsExpensiveNetworkAccess = upload.allowsExpensiveNetworkAccess
        allowsConstrainedNetworkAccess = upload.allowsConstrainedNetworkAccess
    }
}
