// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Returns a stream that a task fills until its reader stops; a reader that falls behind misses the oldest elements.
///
/// - Parameters:
///   - limit: The number of elements that are buffered.
///   - fill: Fills the stream; it is cancelled when the reader stops.
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
