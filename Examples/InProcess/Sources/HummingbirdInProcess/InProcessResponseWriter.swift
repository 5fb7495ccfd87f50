// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SimorghTesting

/// Writes the body of a Hummingbird response to the client.
struct InProcessResponseWriter: ResponseBodyWriter {
    private let base: InProcessBodyWriter

    init(_ base: InProcessBodyWriter) { self.base = base }

    mutating func write(_ buffer: ByteBuffer) async throws {
        try await base.write(Data(buffer.readableBytesView))
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        base.finish(trailingHeaders ?? HTTPFields())
    }
}
