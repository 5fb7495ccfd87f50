// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Crypto
import Dispatch
import SimorghCore
public import SimorghSupport

/// A store for unfinished uploads, each in its own file that only its owner can read.
///
/// A record is replaced atomically, so that after a crash the file has either the old or the new one. If there are more
/// than 1000 records, the oldest are removed.
public struct FileUploadStore: UploadStore {
    /// An error that reports that a record could not be read or written.
    public struct StoreError: Error, Sendable, CustomStringConvertible {
        /// The operation, the file and the error of the system.
        public let description: String
    }

    static let capacity = 1000
    private static let queue = DispatchQueue(label: "simorgh.uploads")

    /// The folder of the records.
    public let folder: String
    /// The parent folder, if it must be checked for its owner.
    private let root: StateFolder?

    /// The default store of uploads, in a folder of the user.
    ///
    /// The folder is `$XDG_STATE_HOME/simorgh/uploads`, or `~/.local/state/simorgh/uploads`; on Apple platforms
    /// `Library/Application Support/simorgh/uploads` in the home folder of the user or the app, but on tvOS
    /// `Library/Caches/simorgh/uploads`, which the system may empty while the app does not run.
    ///
    /// A process without a home folder uses a folder of its user in `/tmp`, and rejects a folder there that another
    /// user created.
    public static let standard = FileUploadStore(in: Platform.stateFolder)

    /// Creates a store.
    ///
    /// The folder is created at the first write.
    ///
    /// - Parameter folder: The folder of the records.
    public init(folder: String) {
        self.folder = folder
        root = nil
    }

    package init(in state: StateFolder) {
        folder = state.path + "/simorgh/uploads"
        root = state
    }

    /// Returns the record of an upload; a damaged file counts as no record.
    ///
    /// - Parameter key: The key of the upload.
    /// - Returns: The record.
    /// - Throws: ``StoreError`` if the file exists but cannot be read.
    public func record(for key: String) async throws -> UploadRecord? {
        let path = path(key)
        return try await onQueue { [self] in
            try checkRoot()
            guard access(path, F_OK) == 0 else { return nil }
            guard let bytes = FileBytes.prefix(of: path, upTo: 64 * 1024) else {
                throw Self.failure("read", path: path)
            }
            return try? JSONDecoder().decode(UploadRecord.self, from: Data(bytes))
        }
    }

    /// Saves the record of an upload and replaces an earlier one.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - key: The key of the upload.
    /// - Throws: ``StoreError``.
    public func save(_ record: UploadRecord, for key: String) async throws {
        let bytes = [UInt8](try JSONEncoder().encode(record))
        let (folder, path) = (folder, path(key))
        try await onQueue { [self] in
            try checkRoot()
            try Self.makeFolder(folder)
            try Self.replace(path, with: bytes)
            Self.dropOldest(in: folder)
            TemporaryFiles.sweepAbandoned(in: folder)
        }
    }

    /// Removes the record of an upload.
    ///
    /// - Parameter key: The key of the upload.
    /// - Throws: ``StoreError``.
    public func remove(_ key: String) async throws {
        let path = path(key)
        try await onQueue { [self] in
            try checkRoot()
            guard unlink(path) == 0 || errno == ENOENT else { throw Self.failure("remove", path: path) }
        }
    }

    private func path(_ key: String) -> String {
        "\(folder)/\(Hex.encoded(SHA256.hash(data: Array(key.utf8)))).json"
    }

    private func onQueue<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Self.queue.async { continuation.resume(with: Result(catching: work)) }
        }
    }

    private func checkRoot() throws {
        guard let root, let reason = root.refusal() else { return }
        throw StoreError(description: "could not use \(root.path): \(reason)")
    }

    private static func failure(_ verb: String, path: String) -> StoreError {
        StoreError(description: "could not \(verb) \(path): \(String(cString: strerror(errno)))")
    }

    private static func makeFolder(_ folder: String) throws {
        if let path = FileCalls.makeFolder(folder, mode: 0o700) { throw failure("create", path: path) }
    }

    private static func replace(_ path: String, with bytes: [UInt8]) throws {
        let draft = TemporaryFiles.name(for: path)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("create", path: draft) }
        var written = 0
        var isGood = true
        while isGood, written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
            }
            if count > 0 { written += count } else if count < 0, errno != EINTR { isGood = false }
        }
        isGood = isGood && fsync(descriptor) == 0
        close(descriptor)
        guard isGood, rename(draft, path) == 0 else {
            let failure = failure("write", path: path)
            unlink(draft)
            throw failure
        }
    }

    private static func dropOldest(in folder: String) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.count > capacity else {
            return
        }
        let dated = names.filter { $0.hasSuffix(".json") }.map { name -> (path: String, date: Int64) in
            var status = stat()
            let path = "\(folder)/\(name)"
            return (path, stat(path, &status) == 0 ? FileTime.modified(status) : 0)
        }
        for (path, _) in dated.sorted(by: { $0.date < $1.date }).prefix(max(0, dated.count - capacity)) { unlink(path) }
    }
}

// With this conformance, Foundation's `localizedDescription` returns our description.
extension FileUploadStore.StoreError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}
