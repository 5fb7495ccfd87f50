// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import SimorghCore
import SimorghSupport

/// Reads a request's body to its end, as a transport does to send it.
package enum ScriptedBody {
    /// The maximum size of a recorded body, in bytes.
    package static let limit = 64 * 1024 * 1024

    package static func collect(_ body: RequestBody) async throws(TransportError) -> Data {
        switch body.content {
        case .empty: return Data()
        case .bytes(let bytes): return bytes
        case .encodable, .pieces:
            throw failure("the body reached the transport before it was encoded")
        case .chunks(let makeIterator):
            let bytes = try await collect(makeIterator())
            guard body.length == nil || body.length == Int64(bytes.count) else {
                throw lengthFailure(Int64(bytes.count), announced: body.length ?? 0)
            }
            return bytes
        }
    }

    private static func collect(
        _ iterator: any AsyncIteratorProtocol<Data, any Error>
    ) async throws(TransportError) -> Data {
        var iterator = iterator
        var bytes = Data()
        do {
            while let chunk = try await iterator.next(isolation: nil) {
                bytes.append(chunk)
                guard bytes.count <= limit else { throw failure("a scripted transport records at most \(limit) bytes") }
            }
            return bytes
        } catch {
            throw failure(of: error)
        }
    }

    /// Returns the error for a body with another length than it announced.
    static func lengthFailure(_ count: Int64, announced: Int64) -> TransportError {
        failure("the body has \(count) bytes, not the announced \(announced)")
    }

    /// Returns the error for a body whose source threw an error.
    static func failure(of error: any Error) -> TransportError {
        error as? TransportError ?? failure("the body of the request failed: \(error)", cause: error)
    }

    static func failure(_ message: String, cause: (any Error)? = nil) -> TransportError {
        TransportError(.requestBodyStreamExhausted, phase: .request, message: message, underlying: cause)
    }
}
