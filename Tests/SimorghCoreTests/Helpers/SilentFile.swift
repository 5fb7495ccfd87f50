// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A file on an unresponsive disk: opening it for reading blocks until it is opened for writing.
struct SilentFile {
    private let path: String

    /// Replaces a file.
    init(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        self.path = path
    }

    /// Unblocks readers while the operation runs; they find that it is not a valid file.
    func answer(while body: () async throws -> Void) async rethrows {
        let writer = open(path, O_RDWR | O_NONBLOCK)
        #expect(writer >= 0)
        defer { close(writer) }
        try await body()
    }
}
