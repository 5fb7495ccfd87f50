// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghSupport

/// A format of request and response bodies: its media types, its encoder and its decoder.
///
/// ``APIClient/Configuration/codecs`` lists the formats of a client. Two closures adapt any pair of coders:
/// ```swift
/// let xml = BodyCodec(
///     mediaTypes: ["application/xml", "text/xml"],
///     encode: { try XMLEncoder().encode($0) },
///     decode: { try XMLDecoder().decode($0, from: $1) })
/// let client = APIClient(baseURL: "https://api.example.com").with { $0.codecs = [xml, .json.weighted(0.5)] }
/// ```
public struct BodyCodec: Sendable {
    /// The media types, which match in any letter case; the first is sent with bodies that name none.
    public var mediaTypes: [String]
    /// The weight of the media types in `Accept` (RFC 9110, section 12.4.2).
    ///
    /// Default: 1. Limited to 0.001...1 and rounded to three digits; NaN counts as 1.
    public var quality = 1.0
    /// The closures; `nil` for the JSON encoder and decoder of the call.
    private let functions:
        (
            encode: @Sendable (any Encodable) throws -> Data,
            decode: @Sendable (any Decodable.Type, Data) throws -> any Decodable
        )?

    /// Creates a codec from two closures, which can run on several threads at the same time.
    ///
    /// - Parameters:
    ///   - mediaTypes: The media types: at least one, without wildcards.
    ///   - quality: The weight of the media types in `Accept`. Default: 1.
    ///   - encode: Encodes a value.
    ///   - decode: Decodes a value of the given type. A value of another type is a decoding error.
    public init(
        mediaTypes: [String],
        quality: Double = 1,
        encode: @escaping @Sendable (_ value: any Encodable) throws -> Data,
        decode: @escaping @Sendable (_ type: any Decodable.Type, _ data: Data) throws -> any Decodable
    ) {
        self.mediaTypes = mediaTypes
        self.quality = quality
        functions = (encode, decode)
    }

    private init(json type: String) { (mediaTypes, functions) = ([type], nil) }

    /// JSON as `application/json`, with the JSON encoder and decoder of the call.
    public static let json = BodyCodec(json: jsonType)

    package static let jsonType = "application/json"

    /// Returns the same codec with another ``quality``.
    ///
    /// - Parameter quality: The weight of the media types in `Accept`, from 0.001 to 1.
    /// - Returns: The codec.
    public func weighted(_ quality: Double) -> BodyCodec {
        var codec = self
        codec.quality = quality
        return codec
    }

    /// True if the codec is ``json``, perhaps with other media types.
    package var isJSON: Bool { functions == nil }

    /// Encodes a value; an error has the media type and the path to the value that cannot be encoded.
    package func encode(
        _ value: any Encodable, as mediaType: String, json encoder: JSONEncoder
    ) throws(InvalidRequestError) -> Data {
        guard let functions else { return try RequestBody.json(of: value, with: encoder) }
        return try RequestBody.encoding(as: mediaType) { try functions.encode(value) }
    }

    /// Decodes a value; a codec that returns a value of another type is a decoding error.
    func decode<Value: Decodable>(_ type: Value.Type, from data: Data, json decoder: JSONDecoder) throws -> Value {
        guard let functions else { return try decoder.decode(type, from: data) }
        let decoded = try functions.decode(type, data)
        if let value = decoded as? Value { return value }
        let message = "The codec for \(mediaTypes[0]) returned \(Swift.type(of: decoded)) instead of \(type)."
        throw DecodingError.typeMismatch(type, DecodingError.Context(codingPath: [], debugDescription: message))
    }

    /// The parameter `q`; empty for the weight 1.
    fileprivate var weight: String {
        let thousandths = quality.isNaN ? 1000 : Int((min(max(quality, 0.001), 1) * 1000).rounded())
        return thousandths == 1000 ? "" : ";q=\(Double(thousandths) / 1000)"
    }
}

/// The codecs of a call, whose media types are valid.
package final class BodyCodecs: Sendable {
    /// The value of `Accept`: the media types of all codecs with their weights, in order.
    let accept: String
    /// The codec for values whose media type is unknown.
    package let first: BodyCodec
    /// The codec of each media type, in lower case and without parameters.
    private let byType: [String: BodyCodec]

    private init(_ codecs: [BodyCodec], first: BodyCodec) throws(InvalidRequestError) {
        self.first = first
        var accepted: [String] = []
        var byType: [String: BodyCodec] = [:]
        for codec in codecs {
            // A codec without a media type is refused like one with an empty media type.
            for type in codec.mediaTypes.isEmpty ? [""] : codec.mediaTypes {
                try Self.check(type)
                let essence = MediaTypePattern.essence(of: type)
                guard byType.updateValue(byType[essence] ?? codec, forKey: essence) == nil else { continue }
                accepted.append(type + codec.weight)
            }
        }
        self.byType = byType
        accept = accepted.joined(separator: ", ")
    }

    /// Returns the codecs of a configuration; `nil` if they are JSON alone, which needs no choice.
    static func checked(_ codecs: [BodyCodec]) -> Result<BodyCodecs, InvalidRequestError>? {
        guard let first = codecs.first,
            codecs.count > 1 || !first.isJSON || first.mediaTypes != [BodyCodec.jsonType] || first.quality != 1
        else { return nil }
        return Result { () throws(InvalidRequestError) in try BodyCodecs(codecs, first: first) }
    }

    /// Returns the codec for a media type; `nil` for an unknown type.
    ///
    /// A type that no codec lists is matched by its suffix (RFC 6838, section 4.2.8), such as `application/atom+xml` by
    /// the codec for `application/xml` or `text/xml`. JSON needs no codec.
    package func codec(for mediaType: String?) -> BodyCodec? {
        let essence = MediaTypePattern.essence(of: mediaType ?? "")
        if let codec = byType[essence] { return codec }
        if essence == BodyCodec.jsonType { return .json }
        guard let plus = essence.lastIndex(of: "+") else { return nil }
        let suffix = essence[essence.index(after: plus)...]
        return byType["application/\(suffix)"] ?? byType["text/\(suffix)"] ?? (suffix == "json" ? .json : nil)
    }

    /// Throws unless a text is a media type that can be sent: two tokens, perhaps with parameters.
    private static func check(_ type: String) throws(InvalidRequestError) {
        let names = type.utf8.prefix { $0 != UInt8(ascii: ";") }
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // A comma would begin another media type, and the parameter q is that of the codec.
        guard names.count == 2, type.utf8.allSatisfy({ HeaderRules.isValueByte($0) && !"*,".utf8.contains($0) }),
            names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(HeaderRules.isTokenByte) }),
            !FieldParameters.read(Array(type.utf8)).contains(where: { $0.name == "q" })
        else {
            let shown = type.isEmpty ? "nothing" : String(reflecting: String(type.prefix(64)))
            throw InvalidRequestError(
                .invalidHeader, message: "a codec needs a media type such as application/xml and has \(shown)")
        }
    }
}

/// The media types in the `Accept` field of a request that sets none.
package enum AcceptedTypes: Sendable, Hashable {
    /// Those of the call's codecs.
    case codecs
    case only(String)
}
