// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghURLSession
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct BoundBodyStreamTests {
    @Test("The chunks of a body are written to the stream in order while it has space")
    func chunks() async throws {
        let ended = Mutex<Int64?>(nil)
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            for byte in UInt8(1)...3 { continuation.yield(Data(repeating: byte, count: 2)) }
            continuation.finish()
        }
        let upload = UploadStream(.once(chunks)) { event in
            if case .ended(let count) = event { ended.withLock { $0 = count } }
        }
        let output = OutputStream(toMemory: ())
        let stream = BoundBodyStream(upload, pair: BodyStreamPair(input: nil, output: output) { _, _ in })
        try await eventually {
            stream.perform { stream.stream(OutputStream(toMemory: ()), handle: Stream.Event.hasSpaceAvailable) }
            return ended.withLock { $0 } == 6
        }
        #expect(output.property(forKey: .dataWrittenToMemoryStreamKey) as? Data == Data([1, 1, 2, 2, 3, 3]))
    }

    @Test("Without a stream of the system there is nothing for a session to read")
    func missing() {
        let upload = UploadStream(.empty) { _ in }
        let stream = BoundBodyStream(upload, pair: BodyStreamPair(input: nil, output: nil) { _, _ in })
        #expect(stream.input == nil)
        #expect(stream.write(Data([1])) == 0)
        stream.close()
    }
}
