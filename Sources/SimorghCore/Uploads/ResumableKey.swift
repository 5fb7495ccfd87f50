// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import HTTPTypes
import SimorghSupport
import Synchronization

/// What tells one upload from another: where it goes, what is sent, what is said of it, and whose it is.
///
/// A store may show the key to anybody who may see its records, so it holds only hashes of what is said and by whom.
struct ResumableKey: Sendable, Hashable {
    let text: String

    init(of upload: ResumableUpload, client: APIClient, endpoint: String, path: String) {
        var said = upload.metadata.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
        said += [upload.contentType ?? "", Self.owner(of: upload, client)]
        text = "\(upload.style.rawValue) \(endpoint) \(path) \(Self.hash(of: said))"
    }

    private static func owner(of upload: ResumableUpload, _ client: APIClient) -> String {
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

    /// A hash that no two lists share, however their texts are parted.
    static func hash(of texts: [String]) -> String {
        var hash = SHA256()
        for text in texts { hash.update(data: Array("\(text.utf8.count):\(text)".utf8)) }
        return Hex.encoded(hash.finalize().prefix(16))
    }
}

extension ResumableKey {
    private static let running = Mutex<Set<ResumableKey>>([])

    /// Does something for an upload while nothing else is done for it in this process.
    ///
    /// - Parameter work: What is done.
    /// - Returns: What it returns.
    /// - Throws: What it throws; ``InvalidRequest`` where something is under way.
    func alone<Value>(_ work: () async throws -> Value) async throws -> Value {
        guard Self.running.withLock({ $0.insert(self).inserted }) else {
            throw InvalidRequest(
                .uploadUnderWay,
                "the same upload is under way: wait for its end, or give this one metadata or an account of its own")
        }
        defer { Self.running.withLock { _ = $0.remove(self) } }
        return try await work()
    }
}
