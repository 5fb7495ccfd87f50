// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import NIOCore
import Synchronization

/// Where the page's files lie until they are sent on: a few at a time, and none of them for longer.
final class UploadTray: Sendable {
    /// How many there may be at a time, those that are still coming among them.
    static let limit = 4
    /// The largest file, in bytes.
    static let largest = 256 * 1024 * 1024

    private let folder: URL
    private let taken = Mutex(0)

    /// Makes the folder, and removes the files that a process left in it when it was killed.
    ///
    /// - Parameter folder: The folder, which no other process uses now.
    /// - Throws: What the system says where it cannot be made.
    init(_ folder: URL) throws {
        self.folder = folder
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try manager.contentsOfDirectory(atPath: folder.path) where UUID(uuidString: name) != nil {
            try manager.removeItem(at: folder.appendingPathComponent(name))
        }
    }

    /// A file, and its place in the tray: both go when nobody has it any more.
    final class Parcel: Sendable {
        let file: URL
        private let tray: UploadTray

        fileprivate init(_ file: URL, in tray: UploadTray) {
            self.file = file
            self.tray = tray
        }

        deinit {
            tray.taken.withLock { $0 -= 1 }
            try? FileManager.default.removeItem(at: file)
        }
    }

    /// Writes what the browser sends to a file.
    ///
    /// - Parameter request: The browser's request.
    /// - Returns: The file.
    /// - Throws: `HTTPError`, in words for the page, where it is not taken.
    @concurrent
    func receive(_ request: Request) async throws -> Parcel {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard (length ?? 0) <= Self.largest else { throw Self.tooLarge }
        let parcel = try place()
        guard FileManager.default.createFile(atPath: parcel.file.path, contents: nil),
            let handle = FileHandle(forWritingAtPath: parcel.file.path)
        else { throw Self.unkept("no file can be made") }
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
        // A body may end, without an error, where the browser has gone.
        guard count == length ?? count else {
            throw HTTPError(.badRequest, message: "the file did not come to its end")
        }
        return parcel
    }

    private func place() throws -> Parcel {
        let isFree = taken.withLock { count in
            guard count < Self.limit else { return false }
            count += 1
            return true
        }
        guard isFree else {
            throw HTTPError(
                .serviceUnavailable,
                message: "the Playground takes \(Self.limit) files at a time, and that many are on their way")
        }
        return Parcel(folder.appendingPathComponent(UUID().uuidString), in: self)
    }

    private static var tooLarge: HTTPError {
        HTTPError(
            .contentTooLarge,
            message: "the Playground takes files of up to \(largest / 1024 / 1024) MB, and this is larger")
    }

    private static func unkept(_ reason: String) -> HTTPError {
        HTTPError(.init(code: 507), message: "the Playground cannot keep the file: \(reason)")
    }
}
