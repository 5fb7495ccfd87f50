// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// Collects a body: in memory while it is small, then in a file that only this user can read.
///
/// It is used by one task at a time; being an actor proves that to the compiler.
actor SessionUploadBuffer {
    private let maximumInMemory: Int
    private var bytes = Data()
    private var count: Int64 = 0
    private var file: (handle: FileHandle, url: URL)?

    init(maximumInMemory: Int) { self.maximumInMemory = maximumInMemory }

    /// Reads all chunks.
    func fill(
        from source: sending any AsyncIteratorProtocol<Data, any Error>, length: Int64?, by clock: SessionClock
    ) async throws {
        var source = source
        while let chunk = try await source.next(isolation: self) {
            try clock.check(.queue)
            count += Int64(chunk.count)
            if let length, count > length { throw TransportError.wrongLength(of: length) }
            if file == nil, bytes.count + chunk.count <= maximumInMemory {
                bytes += chunk
            } else {
                try await write(chunk)
            }
        }
        if let length, count != length { throw TransportError.wrongLength(of: length) }
    }

    /// Returns the collected body; the caller removes the file.
    func finish() throws -> (SessionUpload.Content, Int64) {
        guard let file else { return (.bytes(bytes), count) }
        try file.handle.close()
        self.file = nil
        return (.file(file.url, isTemporary: true), count)
    }

    /// Discards the collected body.
    func discard() {
        bytes = Data()
        guard let file else { return }
        try? file.handle.close()
        try? FileManager.default.removeItem(at: file.url)
        self.file = nil
    }

    private func write(_ chunk: Data) async throws {
        let first = bytes
        bytes = Data()
        let handle: FileHandle
        if let file {
            handle = file.handle
        } else {
            let url = FileManager.default.temporaryDirectory.appendingPathComponent("simorgh-\(UUID().uuidString).body")
            guard
                FileManager.default.createFile(
                    atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
            else {
                throw TransportError(
                    .resourceUnavailable, phase: .request, message: "could not create a file in the temporary folder",
                    requestMayHaveBeenSent: false)
            }
            handle = try FileHandle(forWritingTo: url)
            file = (handle, url)
        }
        try await FileQueue.run {
            if !first.isEmpty { try handle.write(contentsOf: first) }
            try handle.write(contentsOf: chunk)
        }
    }
}
