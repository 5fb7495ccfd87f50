// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
public import SimorghCore
import SimorghSupport

/// An answer written in advance, for every transport and server of this library that is scripted.
///
/// ```swift
/// .json(#"{"id": 7}"#)
/// .status(.notFound)
/// .text("later").held(by: gate)
/// .chunks([.bytes(first), .wait(gate), .fail(lost)])
/// ```
public struct StubResponse: Sendable {
    /// One thing that happens while a body is sent.
    public enum BodyStep: Sendable {
        /// These bytes are sent, as one chunk.
        case bytes(Data)
        /// Nothing is sent until the gate is open.
        case wait(Gate)
        /// The body breaks off here: a scripted transport throws the error, a server closes the connection.
        case fail(TransportError)
    }

    /// What the answer consists of.
    package enum Content: Sendable {
        case steps([BodyStep])
        case failure(TransportError)
        /// The answer to the opening of a WebSocket; one to a plain request says that an upgrade is required.
        case webSocket(WebSocketScript)
        /// Steps that are made while they are sent; only a server sends them.
        case generated(WireSteps)
    }

    /// The status of the answer.
    public var status: HTTPResponse.Status
    /// The header fields of the answer.
    public var headerFields: HTTPFields
    /// What holds the answer back, its head with it; `nil` for nothing.
    public var gate: Gate?
    package var content: Content
    /// How it is carried; at once and whole by default.
    package var wire = WireScript()

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - status: The status; 200 by default.
    ///   - headerFields: The header fields; none by default.
    ///   - body: The bytes after the head; none by default.
    public init(status: HTTPResponse.Status = .ok, headerFields: HTTPFields = [:], body: Data = Data()) {
        self.status = status
        self.headerFields = headerFields
        self.content = .steps(body.isEmpty ? [] : [.bytes(body)])
    }

    /// A status and nothing else.
    ///
    /// - Parameter status: The status, such as `.notFound` or `503`.
    /// - Returns: The answer.
    public static func status(_ status: HTTPResponse.Status) -> StubResponse { StubResponse(status: status) }

    /// Bytes.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - contentType: Its media type.
    ///   - status: The status.
    /// - Returns: The answer.
    public static func bytes(
        _ bytes: Data, contentType: String = "application/octet-stream", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        StubResponse(status: status, headerFields: [.contentType: contentType], body: bytes)
    }

    /// Text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - contentType: Its media type.
    ///   - status: The status.
    /// - Returns: The answer.
    public static func text(
        _ text: String, contentType: String = "text/plain; charset=utf-8", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        .bytes(Data(text.utf8), contentType: contentType, status: status)
    }

    /// JSON as it is written.
    ///
    /// - Parameters:
    ///   - text: The JSON, sent byte for byte.
    ///   - status: The status.
    /// - Returns: The answer.
    public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> StubResponse {
        .text(text, contentType: "application/json", status: status)
    }

    /// A value as JSON, its keys sorted.
    ///
    /// A value that cannot be encoded gives a failure that says so.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - status: The status.
    ///   - encoder: Encodes it; by default with sorted keys.
    /// - Returns: The answer.
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

    /// A body that comes in pieces.
    ///
    /// - Parameters:
    ///   - steps: What is sent, waited for, and where it breaks off.
    ///   - contentType: The media type.
    ///   - status: The status.
    /// - Returns: The answer.
    public static func chunks(
        _ steps: [BodyStep], contentType: String = "application/octet-stream", status: HTTPResponse.Status = .ok
    ) -> StubResponse {
        var response = StubResponse(status: status, headerFields: [.contentType: contentType])
        response.content = .steps(steps)
        return response
    }

    /// No answer but an error.
    ///
    /// A server, which can throw nothing at its client, closes the connection.
    ///
    /// - Parameter error: What the transport throws.
    /// - Returns: The answer.
    public static func failure(_ error: TransportError) -> StubResponse {
        var response = StubResponse()
        response.content = .failure(error)
        return response
    }

    /// No answer within the time a phase may take: the error comes at once, as nothing here waits by a clock.
    ///
    /// - Parameters:
    ///   - phase: The phase that took too long.
    ///   - limit: The time limit that passed.
    /// - Returns: The answer.
    public static func timedOut(
        _ phase: TransportError.Phase = .head, after limit: Duration = .seconds(60)
    ) -> StubResponse {
        .failure(
            .timedOut(
                phase, after: limit, requestMayHaveBeenSent: phase != .queue && phase != .connect && phase != .tls)
        )
    }

    /// The same answer, not given before a gate is open.
    ///
    /// - Parameter gate: The gate.
    /// - Returns: The answer held back.
    public func held(by gate: Gate) -> StubResponse {
        var response = self
        response.gate = gate
        return response
    }

    /// The same answer with one more header field; one of the same name is replaced.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The field's value.
    /// - Returns: The answer with the field.
    public func header(_ name: HTTPField.Name, _ value: String) -> StubResponse {
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
