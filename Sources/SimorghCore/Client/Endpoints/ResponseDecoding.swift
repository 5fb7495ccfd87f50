// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// The conversion of a response into a value: the last part of a ``Call``.
public struct ResponseDecoding<Output: Sendable>: Sendable {
    package let decode: @Sendable (CollectedResponse, JSONDecoder) throws -> Output
    /// The `Accept` field of a request that sets none.
    package var accept: AcceptedTypes?
    /// True if responses with a status that the client rejects are values, too.
    package var acceptsAnyStatus = false

    /// Creates a decoding.
    ///
    /// - Parameters:
    ///   - accept: The `Accept` field of requests that set none. Default: no field.
    ///   - decode: Converts the response into the value. It runs off the event loop and off the main actor.
    public init(
        accept: String? = nil,
        _ decode: @escaping @Sendable (_ response: CollectedResponse, _ decoder: JSONDecoder) throws -> Output
    ) {
        self.decode = decode
        self.accept = accept.map { .only($0) }
    }

    /// Returns the same decoding with a fallback value if *decoding* fails.
    ///
    /// Other failures are still thrown.
    ///
    /// - Parameter value: The fallback value.
    /// - Returns: The decoding with the fallback.
    public func fallback(_ value: Output) -> ResponseDecoding {
        var copy = ResponseDecoding { response, decoder in (try? decode(response, decoder)) ?? value }
        (copy.accept, copy.acceptsAnyStatus) = (accept, acceptsAnyStatus)
        return copy
    }

    /// Returns the same decoding with the value `nil` if *decoding* fails.
    ///
    /// Other failures are still thrown.
    ///
    /// - Returns: The decoding with an optional value.
    public func optional() -> ResponseDecoding<Output?> {
        var copy = ResponseDecoding<Output?> { response, decoder in try? decode(response, decoder) }
        (copy.accept, copy.acceptsAnyStatus) = (accept, acceptsAnyStatus)
        return copy
    }
}

extension ResponseDecoding where Output: Decodable {
    /// Returns a decoding by the codecs of the call, by default JSON, or of the value at a key path in JSON.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - keyPath: The path to the value, such as `"data.address.city"`. Default: the whole body.
    /// - Returns: The decoding.
    public static func decodable(
        _ type: Output.Type = Output.self, at keyPath: DecodableKeyPath = []
    ) -> ResponseDecoding {
        let isWhole = keyPath.components.isEmpty
        var decoding = ResponseDecoding(accept: BodyCodec.jsonType) { response, decoder in
            if let empty = type as? any EmptyResponseDecodable.Type, let value = empty.init(empty: response) as? Output
            {
                return value
            }
            if response.body.isEmpty {
                if let value = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output {
                    return value
                }
                throw NetworkError.emptyResponse(response)
            }
            do {
                if isWhole { return try response.model(type, using: decoder) }
                try response.requireJSON()
                return try decoder.decode(type, from: response.body, at: keyPath)
            } catch let error as InvalidKeyPathError {
                throw ResponseDecodingError(error, type: type, response: response, reason: .brokenKeyPath)
            } catch {
                throw ResponseDecodingError(error, type: type, response: response)
            }
        }
        if isWhole { decoding.accept = .codecs }
        return decoding
    }
}

extension ResponseDecoding where Output == Data {
    /// The body unchanged; it can be empty.
    public static let data = ResponseDecoding { response, _ in response.body }
}

extension ResponseDecoding where Output == String {
    /// The body as text, in the character encoding of the response: see ``CollectedResponse/string()``.
    public static let string = ResponseDecoding { response, _ in try response.string() }
}

extension ResponseDecoding where Output == Void {
    /// No value.
    ///
    /// The response body is ignored.
    public static let void = ResponseDecoding { _, _ in }
}

extension ResponseDecoding where Output == JSON {
    /// Any JSON; an empty body is `null`.
    public static let json = ResponseDecoding(accept: BodyCodec.jsonType) { response, _ in
        guard !response.body.isEmpty else { return .null }
        do {
            return try JSON(parsing: response.body)
        } catch {
            throw ResponseDecodingError(error, type: JSON.self, response: response)
        }
    }
}

extension ResponseDecoding where Output == StatusCodeResponse {
    /// The status and the header fields, whatever the status.
    public static let status: ResponseDecoding = {
        var decoding = ResponseDecoding { response, _ in StatusCodeResponse(empty: response) }
        decoding.acceptsAnyStatus = true
        return decoding
    }()
}

extension ResponseDecoding where Output == CollectedResponse {
    /// The whole response, whatever the status.
    public static let response: ResponseDecoding = {
        var decoding = ResponseDecoding { response, _ in response }
        decoding.acceptsAnyStatus = true
        return decoding
    }()
}
