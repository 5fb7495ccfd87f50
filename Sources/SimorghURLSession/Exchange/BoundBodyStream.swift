// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Dispatch
import SimorghSupport

/// The two ends of a stream pair: what is written to the output can be read from the input.
package struct BodyStreamPair {
    /// The end that a session reads; `nil` on a system without such pairs.
    package let input: InputStream?
    /// The end that an upload writes.
    package let output: OutputStream?
    /// Sets the queue on which the output reports its events; `nil` for none.
    let setQueue: (OutputStream, DispatchQueue?) -> Void

    /// Creates a pair.
    ///
    /// - Parameters:
    ///   - input: The end to read.
    ///   - output: The end to write.
    ///   - setQueue: Sets the queue on which the output reports its events.
    package init(
        input: InputStream?, output: OutputStream?, setQueue: @escaping (OutputStream, DispatchQueue?) -> Void
    ) {
        (self.input, self.output, self.setQueue) = (input, output, setQueue)
    }
}

/// A pair of bound streams: the session reads one end, and an upload writes the other one.
///
/// Unchecked, because streams are not sendable. It is safe: the output and its settings are used only by the thread that
/// creates the pair, before the output is open, and then on `queue`, where its events arrive, too. The input is passed on
/// once, by the thread that creates the pair.
package final class BoundBodyStream: NSObject, StreamDelegate, UploadSink, @unchecked Sendable {
    /// The end that the session reads.
    package let input: InputStream?
    private let pair: BodyStreamPair
    private let upload: UploadStream
    private let queue = DispatchQueue(label: "simorgh.urlsession.body")

    /// Opens the writing end of a pair, and starts an upload that writes it.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - pair: The pair; by default a pair of the system.
    package init(_ upload: UploadStream, pair: BodyStreamPair = .bound(bufferSize: UploadStream.bufferSize)) {
        (input, self.pair, self.upload) = (pair.input, pair, upload)
        super.init()
        guard let output = pair.output else { return }
        output.delegate = self
        pair.setQueue(output, queue)
        // Before the first event.
        upload.start(self)
        output.open()
    }

    package func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: upload.spaceAvailable()
        case .errorOccurred, .endEncountered: upload.stop()
        default: break
        }
    }

    package func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    package func write(_ bytes: Data) -> Int {
        bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.flatMap {
                pair.output?.write($0.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            } ?? 0
        }
    }

    package func close() {
        guard let output = pair.output else { return }
        output.delegate = nil
        pair.setQueue(output, nil)
        output.close()
    }
}
