// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
/// A pair of bound streams: the session reads one end, and an upload writes the other one.
///
/// Unchecked because streams are not `Sendable`: `output` is used only on `queue`, where its events arrive, too. `input`
/// is passed on once, by the thread that creates the pair.
final class BoundBodyStream: NSObject, StreamDelegate, UploadSink, @unchecked Sendable {
    let input: InputStream?
    private let output: OutputStream?
    private let upload: UploadStream
    private let queue = DispatchQueue(label: "simorgh.urlsession.body")

    init(_ upload: UploadStream) {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(
            withBufferSize: UploadStream.bufferSize, inputStream: &input, outputStream: &output)
        (self.input, self.output, self.upload) = (input, output, upload)
        super.init()
        output?.delegate = self
        output?.setQueue(queue)
        // Before the first event.
        upload.start(self)
        output?.open()
    }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: upload.spaceAvailable()
        case .errorOccurred, .endEncountered: upload.stop()
        default: break
        }
    }

    func perform(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    func write(_ bytes: Data) -> Int {
        bytes.withUnsafeBytes { buffer in
            buffer.baseAddress.flatMap {
                output?.write($0.assumingMemoryBound(to: UInt8.self), maxLength: buffer.count)
            } ?? 0
        }
    }

    func close() {
        output?.delegate = nil
        output?.setQueue(nil)
        output?.close()
    }
}

extension OutputStream {
    /// Sets the queue on which the stream reports its events.
    fileprivate func setQueue(_ queue: DispatchQueue?) { CFWriteStreamSetDispatchQueue(self, queue) }
}
#endif
