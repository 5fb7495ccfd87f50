// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// A stream that a task fills for as long as somebody reads it; a reader who falls behind misses the oldest.
///
/// - Parameters:
///   - limit: How much waits for the reader.
///   - fill: Fills it; it is cancelled when the reader goes.
/// - Returns: The stream.
func feed<Element: Sendable>(
    keeping limit: Int = 256,
    _ fill: @escaping @Sendable (_ send: @Sendable (Element) -> Void) async throws -> Void
) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(limit)) { stream in
        let task = Task {
            do {
                try await fill { stream.yield($0) }
                stream.finish()
            } catch {
                stream.finish(throwing: error)
            }
        }
        stream.onTermination = { _ in task.cancel() }
    }
}
