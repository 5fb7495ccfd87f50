// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghSupport

/// A recording of everything that a network status is derived from, as JSON.
///
/// A recording that a user sends becomes a test: the status is derived from it in the same way on every platform.
package struct NetworkRecording: Hashable, Sendable, Codable {
    /// The version of the format; 1.
    package var format = 1
    /// A remark, for example about the device, or that the recording is invented.
    package var note: String?
    /// The expected status, in the words of a test.
    package var expected: String?
    /// The inputs on an Apple platform.
    package var apple: ApplePathSnapshot?
    /// The inputs on Linux.
    package var linux: KernelNetworkSnapshot?

    /// Creates a recording; without inputs if the platform is not supported.
    package init(apple: ApplePathSnapshot? = nil, linux: KernelNetworkSnapshot? = nil) {
        self.apple = apple
        self.linux = linux
    }

    /// Reads a recording.
    ///
    /// - Parameter json: The recording as JSON.
    /// - Throws: `DecodingError`.
    package init(json: Data) throws { self = try JSONDecoder().decode(NetworkRecording.self, from: json) }

    /// Returns the recording as JSON.
    package func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// The status derived from the inputs; ``NetworkStatus/Source/unavailable`` without inputs.
    package var status: NetworkStatus { apple?.status ?? linux?.status ?? UnavailableNetworkSource().current() }
}
