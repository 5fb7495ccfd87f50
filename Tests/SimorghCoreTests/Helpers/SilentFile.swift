// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A file that a disk does not give: whoever opens it to read waits until somebody opens it to write.
struct SilentFile {
    private let path: String

    /// Stands in the place of a file.
    init(_ path: String) throws {
        try FileManager.default.removeItem(atPath: path)
        #expect(mkfifo(path, 0o600) == 0)
        self.path = path
    }

    /// Lets whoever waits go on, who sees that it is no file of ours, for as long as something is done.
    func answer(while body: () async throws -> Void) async rethrows {
        let writer = open(path, O_RDWR | O_NONBLOCK)
        #expect(writer >= 0)
        defer { close(writer) }
        try await body()
    }
}
