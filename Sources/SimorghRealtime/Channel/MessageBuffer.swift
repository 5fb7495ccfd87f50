// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// The bytes of a message on their way in or out.
///
/// The memory of a large message becomes its `Data` without a copy, and is never cleared first. Used by one task or on
/// one event loop.
package final class MessageBuffer: GrowingBytes {
    /// The size from which the memory itself becomes the message, instead of a copy, in bytes.
    private static let minimumUncopiedSize = 16 * 1024

    private var base: UnsafeMutableRawPointer?
    package private(set) var count = 0
    package private(set) var capacity = 0

    package init() {}

    deinit { free(base) }

    /// The bytes; valid until the next change.
    private var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

    package func withBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { withExtendedLifetime(self) {} }
        return try body(bytes)
    }

    /// Makes room for at least as many bytes in all.
    package func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        guard let grown = realloc(base, wanted) else { preconditionFailure("out of memory") }
        (base, capacity) = (grown, wanted)
    }

    package func append(_ new: UnsafeRawBufferPointer) {
        guard let source = new.baseAddress, new.count > 0 else { return }
        write(atLeast: new.count) { space in
            space.baseAddress?.copyMemory(from: source, byteCount: new.count)
            return new.count
        }
    }

    package func write(atLeast room: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) {
        if capacity - count < room { reserve(max(count + room, capacity * 2, 64)) }
        guard let base else { return }
        count += fill(UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count))
    }

    package func removeLast(_ removed: Int) {
        precondition(removed <= count)
        count -= removed
    }

    /// Removes and returns all bytes.
    package func takeData() -> Data {
        guard let base else { return Data() }
        defer { count = 0 }
        guard count >= Self.minimumUncopiedSize, count * 2 >= capacity else { return Data(bytes: base, count: count) }
        let data = Data(bytesNoCopy: base, count: count, deallocator: .free)
        (self.base, capacity) = (nil, 0)
        return data
    }

    /// Removes all bytes and returns them as text; they must be valid UTF-8.
    package func takeText() -> String {
        defer { count = 0 }
        return String(decoding: bytes, as: UTF8.self)
    }
}
