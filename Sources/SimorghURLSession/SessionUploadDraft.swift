// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// A body that is being gathered: in memory while it is small, then in a file that nobody else can read.
///
/// Used by one task at a time, which the compiler is shown by giving it away with each step.
actor SessionUploadDraft {
    private let mostInMemory: Int
    private var bytes = Data()
    private var count: Int64 = 0
    private var file: (handle: FileHandle, url: URL)?

    init(mostInMemory: Int) { self.mostInMemory = mostInMemory }

    /// Takes all chunks.
    func fill(
        from source: sending any AsyncIteratorProtocol<Data, any Error>, length: Int64?, by clock: SessionClock
    ) async throws {
        var source = source
        while let chunk = try await source.next(isolation: self) {
            try clock.check(.queue)
            count += Int64(chunk.count)
            if let length, count > length { throw Self.wrong(length) }
            if file == nil, bytes.count + chunk.count <= mostInMemory {
                bytes += chunk
            } else {
                try await write(chunk)
            }
        }
        if let length, count != length { throw Self.wrong(length) }
    }

    /// What was gathered; the file is the caller's to remove.
    func finish() throws -> (SessionUpload.Content, Int64) {
        guard let file else { return (.bytes(bytes), count) }
        try file.handle.close()
        self.file = nil
        return (.file(file.url), count)
    }

    /// Throws away what was gathered.
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
                    .resourceUnavailable, phase: .request, message: "no file can be made in the temporary folder",
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

    private static func wrong(_ length: Int64) -> TransportError {
        TransportError(
            .requestBodyStreamExhausted, phase: .request,
            message: "the body has another length than the \(length) bytes it said", requestMayHaveBeenSent: false)
    }
}
