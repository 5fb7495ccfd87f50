// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes
import SimorghCore
import SimorghSupport
import Synchronization

/// The key of an upload: its endpoint, file, metadata and owner.
///
/// A store may show the key to any user who can read its records, so it contains metadata and owner only as hashes.
struct ResumableUploadKey: Sendable, Hashable {
    let text: String

    init(of upload: ResumableUpload, client: APIClient, endpoint: String, path: String) {
        var parts = upload.metadata.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        parts += [upload.contentType ?? "", Self.owner(of: upload, client: client)]
        text = "\(upload.style.rawValue) \(endpoint) \(ContainerPath.key(of: path)) \(Self.hash(of: parts))"
    }

    private static func owner(of upload: ResumableUpload, client: APIClient) -> String {
        if let account = upload.account { return hash(of: ["account", account]) }
        let configuration = client.configuration
        let authentication = configuration.authentication
        var credentials = [authentication?.description ?? "", authentication?.owner?() ?? ""]
        let fields = configuration.headers.merging(upload.headers) { $1 }
        for (name, value) in fields.map({ ($0.key.lowercased(), $0.value) }).sorted(by: <)
        where CredentialFields.known.contains(where: { $0.canonicalName == name }) {
            credentials += [name, value]
        }
        return hash(of: credentials)
    }

    /// Returns a hash of a list.
    ///
    /// Lengths are included, so that lists with different boundaries have different hashes.
    static func hash(of texts: [String]) -> String {
        var hash = SHA256()
        for text in texts { hash.update(data: Array("\(text.utf8.count):\(text)".utf8)) }
        return Hex.encoded(hash.finalize().prefix(16))
    }
}

extension ResumableUploadKey {
    private static let running = Mutex<Set<ResumableUploadKey>>([])

    /// Runs an operation for an upload while no other operation for it runs in this process.
    ///
    /// - Parameter work: The operation.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation, or ``InvalidRequestError`` if another operation is running.
    func runExclusively<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard Self.running.withLock({ $0.insert(self).inserted }) else {
            throw InvalidRequestError(
                .uploadUnderWay,
                message:
                    "the same upload is already in progress: wait until it ends, or set different metadata or account")
        }
        defer { Self.running.withLock { _ = $0.remove(self) } }
        return try await work()
    }
}

extension ResumableUploadRunner {
    /// The source and the destination of an upload.
    struct Site: Sendable {
        /// The absolute URL of the endpoint.
        let endpoint: String
        let path: String
        let key: ResumableUploadKey

        init(_ upload: ResumableUpload, client: APIClient) async throws {
            let call = client.call(of: upload, method: .post, url: nil, headers: [:], body: .empty)
            endpoint = try await call.makeRequest(.showing, accept: nil).request.urlString
            path =
                upload.file.behind(first: "/") != nil
                ? upload.file : FileManager.default.currentDirectoryPath + "/" + upload.file
            key = ResumableUploadKey(of: upload, client: client, endpoint: endpoint, path: path)
        }
    }
}
