// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghDownloads
import SimorghSupport

/// The files of background transfers, each in the folder of its transfer: a response with its head, and resume data.
///
/// A response counts when its body has its name. Its head is written before, so that a process that ends at any time
/// leaves a whole response or none.
package struct BackgroundTransferFiles: Sendable {
    private struct Head: Codable {
        /// The URL of the request.
        var url: String
        /// The key of the trust of the session; `nil` for default TLS options.
        var trustKey: String?
        var response: BackgroundResponse
    }

    private struct ResumeData: Codable {
        var url: String
        /// `nil` if unknown.
        var key: String?
        var secretKey: String?
        var data: Data
    }

    /// The largest head, or resume data, to read, in bytes.
    private static let maximumRecord = 4 * 1024 * 1024

    /// The most recent folder first.
    private var directories: [String] = []
    /// The key of the trust of the session.
    private let trustKey: String?

    /// Creates the files of a session.
    ///
    /// - Parameter trustKey: The key of its trust: responses that were received under other trust are not used.
    package init(trustKey: String? = nil) { self.trustKey = trustKey }

    /// Adds a folder that holds the folders of transfers.
    package mutating func attach(_ directory: String) {
        directories.removeAll { $0 == directory }
        directories.insert(directory, at: 0)
    }

    /// Returns the folder of a transfer; `nil` if the transfer does not exist any more.
    package func folder(of id: UUID) -> DownloadFolder? {
        directories.lazy.map { DownloadFolder(in: $0, id: id) }.first { DownloadFileSystem.exists($0.path) }
    }

    // MARK: Responses

    /// Moves a body to the files of its transfer.
    ///
    /// - Parameters:
    ///   - path: The body.
    ///   - response: The head.
    ///   - task: The task that received it.
    /// - Throws: ``BackgroundTransferError``.
    package func keep(
        _ path: String, response: BackgroundResponse, of task: BackgroundSessionTask
    ) throws(BackgroundTransferError) {
        guard let folder = folder(of: task.id) else { throw .file("the download does not exist any more") }
        do {
            try DownloadFileSystem.remove(folder.fetched)
            var response = response
            // No one asks for the cookies of a download.
            if !task.isUpload { response.fields.removeAll { $0.first?.lowercased() == "set-cookie" } }
            let head = try JSONEncoder().encode(Head(url: task.url, trustKey: task.trustKey, response: response))
            try write(head, to: folder.fetchedResponse)
            try DownloadFileSystem.take(path, as: folder.fetched)
        } catch {
            throw Self.failure("the file could not be kept", error)
        }
    }

    /// Writes a body to the files of its transfer.
    package func keep(
        _ body: Data, response: BackgroundResponse, of task: BackgroundSessionTask
    ) throws(BackgroundTransferError) {
        guard let folder = folder(of: task.id) else { throw .file("the upload does not exist any more") }
        let draft = TemporaryFiles.name(for: folder.fetched)
        do {
            try write(body, to: draft)
        } catch {
            throw Self.failure("the response could not be kept", error)
        }
        do throws(BackgroundTransferError) {
            try keep(draft, response: response, of: task)
        } catch {
            try? DownloadFileSystem.remove(draft)
            throw error
        }
    }

    private static func failure(_ text: String, _ error: any Error) -> BackgroundTransferError {
        if case .insufficientDiskSpace(let required, let available)? = error as? DownloadError {
            return .noSpace(required: required, available: available)
        }
        return .file("\(text): \(error)")
    }

    /// Returns the response that is kept for a transfer.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - url: The URL of the request; a response of another request, or one that was
    ///     received under other trust, is removed.
    /// - Returns: The response; `nil` if it is not stored.
    package func response(of id: UUID, url: String) -> BackendFile? {
        guard let folder = folder(of: id), DownloadFileSystem.length(of: folder.fetched) != nil else { return nil }
        guard let head: Head = read(folder.fetchedResponse), head.url.isEmpty || head.url == url,
            head.trustKey == trustKey
        else {
            removeResponse(of: id)
            return nil
        }
        let response = head.response
        return BackendFile(
            url: response.url, status: response.status, fields: response.headerFields, path: folder.fetched)
    }

    package func removeResponse(of id: UUID) {
        guard let folder = folder(of: id) else { return }
        for path in [folder.fetched, folder.fetchedResponse] { try? DownloadFileSystem.remove(path) }
    }

    /// Removes the folder of a discarded transfer, which may have got a file after its owner has removed the others.
    package func removeEmptyFolder(of id: UUID) {
        if let folder = folder(of: id) { DownloadFileSystem.removeFolder(folder.path) }
    }

    // MARK: Resume data

    /// Stores resume data.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - task: The task.
    package func storeResumeData(_ data: Data, of task: BackgroundSessionTask) {
        guard let folder = folder(of: task.id) else { return }
        let value = ResumeData(url: task.url, key: task.key, secretKey: task.secretKey, data: data)
        guard let bytes = try? JSONEncoder().encode(value) else { return }
        // Without them the transfer starts over.
        try? write(bytes, to: folder.resumeData)
    }

    /// Takes the resume data for a request: they are removed, because each may be used once.
    ///
    /// They contain the old request. They do not fit if its URL, network rules or header fields have changed.
    ///
    /// - Parameter order: The request.
    /// - Returns: The data; `nil` if no stored data fit.
    package func takeResumeData(for order: BackgroundOrder) -> Data? {
        guard let folder = folder(of: order.id) else { return nil }
        let stored: ResumeData? = read(folder.resumeData)
        // Also if they are damaged or too large.
        removeResumeData(of: order.id)
        guard let value = stored else { return nil }
        guard value.url.isEmpty || value.url == order.url, value.key == nil || value.key == order.key else {
            return nil
        }
        // After a restart the credentials are not known any more, but the data contain them.
        guard order.secretKey == nil || order.secretKey == value.secretKey else { return nil }
        return value.data
    }

    package func removeResumeData(of id: UUID) {
        if let folder = folder(of: id) { try? DownloadFileSystem.remove(folder.resumeData) }
    }

    private func read<Value: Decodable>(_ path: String) -> Value? {
        guard let bytes = FileBytes.prefix(of: path, upTo: Self.maximumRecord) else { return nil }
        return try? JSONDecoder().decode(Value.self, from: Data(bytes))
    }

    /// Writes a file that only the user can read, because it may contain credentials.
    private func write(_ data: Data, to path: String) throws(DownloadError) {
        let draft = TemporaryFiles.name(for: path)
        do throws(DownloadError) {
            let file = try PartialFile(draft, isPrivate: true)
            try file.write([data], at: 0)
            try file.sync()
            try DownloadFileSystem.replace(draft, with: path)
        } catch {
            try? DownloadFileSystem.remove(draft)
            throw error
        }
    }
}
