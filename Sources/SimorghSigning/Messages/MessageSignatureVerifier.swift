// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import RawStructuredFieldValues
public import SimorghCore
import SimorghREST
import SimorghSupport

/// Verifies HTTP Message Signatures (RFC 9421), for webhooks, responses and tests.
///
/// ```swift
/// import HTTPTypes
///
/// let verifier = MessageSignatureVerifier { keyID in keyID == "zal-2026" ? key.verificationKey : nil }
/// let signature = try await verifier.verify(request, body: body)
/// ```
/// The fields `Signature` and `Signature-Input` may have 16 KiB and 16 signatures, and a signature may have 64
/// components. A field may have 16 KiB and 256 members if a signature covers single members of it. The verifier does not
/// store nonces: a server that must not process a request twice compares them itself.
public struct MessageSignatureVerifier: Sendable {
    private static let maximumSignatures = 16

    /// The components that a signature of a request must cover.
    ///
    /// Default: the method and the whole URL.
    public var requiredRequestComponents: [SignedComponent] = [.method, .targetURI]
    /// The components that a signature of a response must cover.
    ///
    /// Default: the status. A signature that covers no more is also valid for the response to another request: add
    /// ``SignedComponent/method`` and ``SignedComponent/targetURI`` with ``SignedComponent/ofRequest()`` if the server
    /// covers them.
    public var requiredResponseComponents: [SignedComponent] = [.status]
    /// True if a signature of a message with content must cover its `Content-Digest`.
    ///
    /// Default: true.
    public var requiresContentDigest = true
    /// The longest time since a signature was created; a signature without a date is rejected.
    ///
    /// Default: five minutes.
    public var maximumAge: Duration = .seconds(300)
    /// The accepted difference of clocks.
    ///
    /// Default: 30 seconds.
    public var clockTolerance: Duration = .seconds(30)
    /// The label of the signature; `nil` accepts the only signature with the tag.
    ///
    /// Default: `nil`.
    public var label: String?
    /// The tag of the signature; `nil` accepts any tag, and none.
    ///
    /// Default: `nil`.
    public var tag: String?
    private let key: @Sendable (_ keyID: String) async throws -> MessageVerificationKey?

    /// Creates a verifier.
    ///
    /// - Parameter key: Returns the key with an identifier; `nil` if it is unknown. The identifier comes from the
    ///   message: it must not become the name of a file or a URL without a check.
    public init(key: @escaping @Sendable (_ keyID: String) async throws -> MessageVerificationKey?) {
        self.key = key
    }

    /// A valid signature.
    public struct Verified: Sendable, Hashable {
        /// The label.
        public let label: String
        /// The identifier of the key.
        public let keyID: String
        /// The covered components; everything else of the message is not authenticated.
        public let components: [SignedComponent]
        /// The date at which the signature was created.
        public let created: Date
        /// The nonce; `nil` if it has none.
        public let nonce: String?
        /// The tag; `nil` if it has none.
        public let tag: String?
    }

    /// Verifies the signature of a request.
    ///
    /// - Parameters:
    ///   - request: The head of the request, with its scheme and authority. A field `Host` must be equal to the
    ///     authority.
    ///   - body: The content.
    ///   - date: The current date.
    /// - Returns: The signature.
    /// - Throws: ``MessageSignatureError``, or the error of the function that returns keys.
    public func verify(_ request: HTTPRequest, body: Data, at date: Date = Date()) async throws -> Verified {
        try await verify(
            SignatureBase(request, isReceived: true), body: body, required: requiredRequestComponents, at: date)
    }

    /// Verifies the signature of a response.
    ///
    /// - Parameters:
    ///   - response: The head of the response.
    ///   - body: The content.
    ///   - request: The request, for components of it.
    ///   - date: The current date.
    /// - Returns: The signature.
    /// - Throws: ``MessageSignatureError``, or the error of the function that returns keys.
    public func verify(
        _ response: HTTPResponse, body: Data, to request: HTTPRequest? = nil, at date: Date = Date()
    ) async throws -> Verified {
        try await verify(
            SignatureBase(response, to: request), body: body, required: requiredResponseComponents, at: date)
    }

    /// Verifies the signature of a response that a client has received.
    ///
    /// A digest covers the content as it was sent: request it with `Accept-Encoding: identity`.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - date: The current date.
    /// - Returns: The signature.
    /// - Throws: ``MessageSignatureError``, or the error of the function that returns keys.
    public func verify(_ response: CollectedResponse, at date: Date = Date()) async throws -> Verified {
        let head = HTTPResponse(status: .init(code: response.statusCode), headerFields: response.headers)
        // After a redirect the request that was answered is not known in all its parts.
        return try await verify(
            head, body: response.body, to: response.redirects.isEmpty ? response.requestHead : nil, at: date)
    }

    private func verify(
        _ message: SignatureBase, body: Data, required: [SignedComponent], at date: Date
    ) async throws -> Verified {
        let (label, parameters, signature) = try select(message.headerFields)
        guard let created = parameters.created, let keyID = parameters.keyID else {
            throw MessageSignatureError(.malformed, "the signature has no date (created) or no key (keyid)")
        }
        try checkDates(
            parameters, created: created, at: Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? .max / 4)
        let required = required + (requiresContentDigest && !body.isEmpty ? [.contentDigest] : [])
        for component in required where !parameters.components.contains(component) {
            throw MessageSignatureError(
                .notCovered, "the signature does not cover \(component.description), which is required")
        }
        guard let key = try await key(keyID) else {
            throw MessageSignatureError(.unknownKey, "the key \(LogText.value(keyID)) of the signature is unknown")
        }
        // The algorithm is that of the key: the message may only confirm it.
        guard parameters.algorithm == nil || parameters.algorithm == key.algorithm.rawValue else {
            throw MessageSignatureError(
                .algorithmMismatch, "the signature names another algorithm than that of its key")
        }
        guard key.isValid(signature, of: try message.text(parameters)) else {
            throw MessageSignatureError(.invalidSignature, "the signature does not belong to the message and the key")
        }
        if parameters.components.contains(.contentDigest) { try checkDigest(message.headerFields, body: body) }
        return Verified(
            label: label, keyID: keyID, components: parameters.components,
            created: Date(timeIntervalSince1970: Double(created)), nonce: parameters.nonce, tag: parameters.tag)
    }

    private func select(
        _ fields: HTTPFields
    ) throws(MessageSignatureError) -> (String, MessageSignatureParameters, Data) {
        let inputs = try members(of: MessageSignatureFields.input, in: fields)
        let signatures = try members(of: MessageSignatureFields.signature, in: fields)
        var found: [(label: String, parameters: MessageSignatureParameters)] = []
        for (name, value) in inputs where label == nil || label == name {
            // A signature of another program may use what this one does not know.
            guard
                let parameters = label == nil && inputs.count > 1
                    ? try? MessageSignatureParameters(value) : try MessageSignatureParameters(value)
            else { continue }
            if tag == nil || parameters.tag == tag { found.append((name, parameters)) }
        }
        guard let only = found.first else {
            throw MessageSignatureError(.missing, "the message has no signature with the expected label and tag")
        }
        guard found.count == 1 else {
            throw MessageSignatureError(.malformed, "the message has several signatures: set the label or the tag")
        }
        guard case .item(let item)? = signatures[only.label],
            case .undecodedByteSequence(let text) = item.rfc9651BareItem, let bytes = Data(base64Encoded: text)
        else {
            throw MessageSignatureError(.malformed, "the field Signature does not have the label of Signature-Input")
        }
        return (only.label, only.parameters, bytes)
    }

    private func members(
        of name: HTTPField.Name, in fields: HTTPFields
    ) throws(MessageSignatureError) -> OrderedMap<String, ItemOrInnerList> {
        let lines = fields[values: name]
        guard !lines.isEmpty else {
            throw MessageSignatureError(.missing, "the message has no field \(name.rawName)")
        }
        let text = lines.joined(separator: ", ")
        guard StructuredText.isSmall(text) else {
            throw MessageSignatureError(
                .tooLarge, "the field \(name.rawName) has more than 16 KiB or too many members or parameters")
        }
        guard let members = try? StructuredText.dictionary(in: text) else {
            throw MessageSignatureError(
                .malformed, "the field \(name.rawName) is not a dictionary of structured fields")
        }
        guard members.count <= Self.maximumSignatures else {
            throw MessageSignatureError(.tooLarge, "the message has more than \(Self.maximumSignatures) signatures")
        }
        return members
    }

    private func checkDates(
        _ parameters: MessageSignatureParameters, created: Int64, at now: Int64
    ) throws(MessageSignatureError) {
        let limit: Int64 = 1_000_000_000_000
        let age = max(0, min(maximumAge.components.seconds, limit))
        let tolerance = max(0, min(clockTolerance.components.seconds, limit))
        // Structured fields limit an integer to 15 digits, so these sums do not overflow.
        guard created <= now + tolerance else {
            throw MessageSignatureError(.notCurrent, "the date of the signature is in the future")
        }
        guard created + age + tolerance >= now else {
            throw MessageSignatureError(.notCurrent, "the signature is older than \(age) seconds")
        }
        if let expires = parameters.expires, expires + tolerance < now {
            throw MessageSignatureError(.notCurrent, "the signature has expired")
        }
    }

    private func checkDigest(_ fields: HTTPFields, body: Data) throws(MessageSignatureError) {
        guard let digests = try? ContentDigest.digests(.content, in: fields), !digests.isEmpty else {
            throw MessageSignatureError(
                .digestMismatch, "the field Content-Digest has no digest by sha-256 or sha-512")
        }
        for digest in digests where ContentDigest(of: body, by: digest.algorithm) != digest {
            throw MessageSignatureError(.digestMismatch, "the content is not the one whose digest was signed")
        }
    }
}
