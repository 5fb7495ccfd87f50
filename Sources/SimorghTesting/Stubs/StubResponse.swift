// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// A prepared response for every scripted transport and server of this library.
///
/// ```swift
/// .json(#"{"id": 7}"#)
/// .status(.notFound)
/// .text("later").held(by: gate)
/// .chunks([.bytes(first), .wait(gate), .fail(lost)])
/// ```
public struct StubResponse: Sendable {
    /// A step of sending a body.
    public enum BodyStep: Sendable {
        /// Sends bytes as one chunk.
        case bytes(Data)
        /// Waits until the gate is open.
        case wait(Gate)
        /// Breaks the body off: a scripted transport throws the error, a server closes the connection.
        case fail(TransportError)
    }

    /// The content of a response.
    package enum Content: Sendable {
        case steps([BodyStep])
        case failure(TransportError)
        /// A response to a WebSocket handshake. A plain request gets 426 Upgrade Required instead.
        case webSocket(WebSocketScript)
        /// Steps that are generated while they are sent; only a server sends them.
        case generated(WireSteps)
    }

    /// The status of the response.
    public var status: HTTPResponse.Status
    /// The header fields of the response.
    public var headerFields: HTTPFields
    /// The gate that holds the whole response back; `nil` for no gate.
    public var gate: Gate?
    package var content: Content
    /// The delivery over the wire; at once and complete by default.
    package var wire = ResponseDelivery()

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: The status; 200 by default.
    ///   - headerFields: The header fields; none by default.
    ///   - body: The body; empty by default.
    public init(status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.content = .steps(body.isEmpty ? [] : [.bytes(body)])
    }

    /// Creates a response with a status only.
    ///
    /// - Parameter status: The status, such as `.notFound` or `503`.
    /// - Returns: The response.
    public static func status(_ status: HTTPResponse.Status) -> StubResponse { StubResponse(status: status) }

    /// Creates a response with bytes.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - contentType: Its media type.
    ///   - status: The status.
    /// - Returns: The response.
    public static func bytes(
        _ bytes: Data, contentType: String = "application/octet-stream", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        StubResponse(status: status, headerFields: [.contentType: contentType], body: bytes)
    }

    /// Creates a response with UTF-8 text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - contentType: Its media type.
    ///   - status: The status.
    /// - Returns: The response.
    public static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        .bytes(Data(text.utf8), contentType: contentType, status: status)
    }

    /// Creates a response with JSON text.
    ///
    /// - Parameters:
    ///   - text: The JSON, sent byte for byte.
    ///   - status: The status.
    /// - Returns: The response.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
        .text(text, contentType: "application/json", status: status)
    }

    /// Creates a response with a value encoded as JSON.
    ///
    /// A value that cannot be encoded makes the response a failure that says so.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status.
    ///   - encoder: The JSON encoder; by default one with sorted keys.
    /// - Returns: The response.
    public static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, encoder: JSONEncoder? = nil
    ) -> StubResponse {
        do {
            let bytes = try (encoder ?? sortedEncoder()).encode(value)
            return .bytes(bytes, contentType: "application/json", status: status)
        } catch {
            return .failure(
                TransportError(
                    .unknown, phase: .head, message: "the scripted value could not be encoded: \(error)",
                    underlying: error))
        }
    }

    /// Creates a response with a body in chunks.
    ///
    /// - Parameters:
    ///   - steps: The chunks, waits and failures.
    ///   - contentType: The media type.
    ///   - status: The status.
    /// - Returns: The response.
    public static func chunks(
        _ steps: [BodyStep], contentType: String = "application/octet-stream", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        var response = StubResponse(status: status, headerFields: [.contentType: contentType])
        response.content = .steps(steps)
        return response
    }

    /// Creates a failure without a response.
    ///
    /// A server closes the connection instead, because it cannot throw an error at its client.
    ///
    /// - Parameter error: The error that the transport throws.
    /// - Returns: The response.
    public static func failure(_ error: TransportError) -> StubResponse {
        var response = StubResponse()
        response.content = .failure(error)
        return response
    }

    /// Creates a timeout failure.
    ///
    /// The error is thrown at once; no time passes.
    ///
    /// - Parameters:
    ///   - phase: The phase that took too long.
    ///   - limit: The time limit that passed.
    /// - Returns: The response.
    public static func timedOut(
        _ phase: TransportError.Phase = .head, after limit: Duration = .seconds(60)
    ) -> StubResponse {
        .failure(
            .timedOut(
                phase, after: limit, requestMayHaveBeenSent: phase != .queue && phase != .connect && phase != .tls)
        )
    }

    /// Returns the response, held back until a gate is open.
    ///
    /// - Parameter gate: The gate.
    /// - Returns: The response.
    public func held(by gate: Gate) -> StubResponse {
        var response = self
        response.gate = gate
        return response
    }

    /// Returns the response with a header field added, or replaced if one of the same name exists.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    /// - Returns: The response.
    public func header(_ name: HTTPField.Name, value: String) -> StubResponse {
        var response = self
        response.headerFields[name] = value
        return response
    }

    private static func sortedEncoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}
