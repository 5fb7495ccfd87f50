// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// Temporary storage of the page's files until they are uploaded, for a limited number at a time.
final class UploadStorage: Sendable {
    /// The maximum number of files, including those that are still being received.
    static let limit = 4
    /// The largest file, in bytes.
    static let largest = 256 * 1024 * 1024

    private let folder: URL
    private let taken = Mutex(0)

    /// Creates the folder, and removes the files of a process that was killed.
    ///
    /// - Parameter folder: The folder, which no other process uses now.
    /// - Throws: The system's error if the folder cannot be created.
    init(_ folder: URL) throws {
        self.folder = folder
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: folder.path) where UUID(uuidString: name) != nil {
            try manager.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// A stored file, which releases its slot and is removed when it is deallocated.
    final class StoredUpload: Sendable {
        let file: URL
        private let tray: UploadStorage

        fileprivate init(_ file: URL, in tray: UploadStorage) {
            self.file = file
            self.tray = tray
        }

        deinit {
            tray.taken.withLock { $0 -= 1 }
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Stores the file that the browser sends.
    ///
    /// - Parameter request: The browser's request.
    /// - Returns: The file.
    /// - Throws: `HTTPError` with a message for the page if the file is refused.
    @concurrent
    func receive(_ request: Request) async throws -> StoredUpload {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard (length ?? 0) <= Self.largest else { throw Self.tooLarge }
        let parcel = try place()
        guard FileManager.default.createFile(atPath: parcel.file.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: parcel.file.path)
        else { throw Self.unkept("the file cannot be created") }
        defer { try? handle.close() }
        var count = 0
        for try await chunk in request.body {
            count += chunk.readableBytes
            guard count <= Self.largest else { throw Self.tooLarge }
            do {
                try handle.write(contentsOf: Data(chunk.readableBytesView))
            } catch {
                throw Self.unkept(error.localizedDescription)
            }
        }
        // A body may end without an error if the browser disconnects.
        guard count == length ?? count else {
            throw HTTPError(.badRequest, message: "the upload ended early")
        }
        return parcel
    }

    private func place() throws -> StoredUpload {
        let isFree = taken.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw HTTPError(
                .serviceUnavailable,
                message: "the Playground takes \(Self.limit) files at a time; try again when one is finished")
        }
        return StoredUpload(folder.appendingPathComponent(UUID().uuidString), in: self)
    }

    private static var tooLarge: HTTPError {
        HTTPError(
            .contentTooLarge,
            message: "the Playground takes files of up to \(largest / 1024 / 1024) MB, and this one is larger")
    }

    private static func unkept(_ reason: String) -> HTTPError {
        HTTPError(.init(code: 507), message: "the Playground cannot store the file: \(reason)")
    }
}
