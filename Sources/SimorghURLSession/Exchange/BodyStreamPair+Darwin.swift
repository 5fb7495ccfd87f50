// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(Darwin)
extension BodyStreamPair {
    /// Creates a pair of bound streams of the system.
    package static func bound(bufferSize: Int) -> BodyStreamPair {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: bufferSize, inputStream: &input, outputStream: &output)
        return BodyStreamPair(input: input, output: output) { CFWriteStreamSetDispatchQueue($0, $1) }
    }
}
#endif
