// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes
import RawStructuredFieldValues
public import SimorghCore
import SimorghREST
import SimorghSupport

/// Signs requests by HTTP Message Signatures (RFC 9421).
///
/// ```swift
/// let key = try MessageSigningKey(pem: pem)
/// let signer = HTTPMessageSigner(key: key, keyID: "zal-2026")
/// let client = client.with { $0.authentication = .signed(by: signer) }
/// ```
/// A request with a body gets a `Content-Digest` (RFC 9530) that the signature covers; a streamed body is read twice. A
/// request that has a signature of the same label is not signed again.
public struct HTTPMessageSigner: RequestSigner {
    /// The key.
    public var key: MessageSigningKey
    /// The identifier of the key, by which the server finds it.
    public var keyID: String
    /// The covered components, without `content-digest`, which each body adds.
    ///
    /// Default: the method and the whole URL.
    public var components: [SignedComponent] = [.method, .targetURI]
    /// The label of the signature.
    ///
    /// Default: `sig1`.
    public var label = "sig1"
    /// The time for which a signature is valid, at least one second; `nil` names no end.
    ///
    /// Default: five minutes.
    public var lifetime: Duration? = .seconds(300)
    /// The tag, which names the use of the signature.
    ///
    /// Default: none.
    public var tag: String?
    /// True if the signature names its algorithm.
    ///
    /// Default: true.
    public var namesAlgorithm = true
    /// True if each signature has a random nonce, by which a server can recognize a replayed request.
    ///
    /// Default: true.
    public var addsNonce = true
    /// True if a rejected request is signed once more by the draft that the standard replaced
    /// (draft-cavage-http-signatures-12).
    ///
    /// Many servers of the Fediverse still require it, most of them with a key for
    /// ``MessageSignatureAlgorithm/rsaPKCS1SHA256``. It needs TLS, since another machine could otherwise obtain the
    /// older signature. It covers only the target, the host, the date and the digest of the body: it has no nonce and
    /// no end, and ``components``, ``label``, ``lifetime`` and ``tag`` have no effect on it.
    ///
    /// A request that is not idempotent is signed again after 401, and after 400 and 403 only if the response names
    /// signatures in `WWW-Authenticate` or `Accept-Signature`. If the response to a second signature has a status from
    /// 200 to 399, its form is used first for the next requests to that origin; 256 origins are remembered.
    ///
    /// Default: false.
    public var fallsBackToDraft = false
    let preferences = DraftPreferences()
    /// The longest lifetime, about 30 years, in seconds.
    private static let maximumLifetime: Int64 = 1_000_000_000

    /// Creates a signer.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - keyID: The identifier of the key.
    public init(key: MessageSigningKey, keyID: String) {
        self.key = key
        self.keyID = keyID
    }

    /// Signs a request.
    ///
    /// - Parameters:
    ///   - request: The request of one attempt.
    ///   - date: The current date.
    /// - Returns: The request with the fields `Signature-Input` and `Signature`.
    /// - Throws: ``SigningError``.
    public func signed(_ request: TransportRequest, at date: Date) async throws -> TransportRequest {
        try await signed(request, byDraft: fallsBackToDraft && preferences.prefersDraft(request.head), at: date)
    }

    private func signed(
        _ request: TransportRequest, byDraft isDraft: Bool, at date: Date
    ) async throws -> TransportRequest {
        if isDraft { return try await signedByDraft(request, at: date) }
        return try await signedByStandard(request, at: date)
    }

    /// Signs a request once more, by the other one of the standard and the draft.
    ///
    /// - Parameters:
    ///   - request: The request, without a signature.
    ///   - rejection: The response of the server.
    ///   - date: The current date.
    /// - Returns: The request with the other signature; `nil` without ``fallsBackToDraft``.
    /// - Throws: ``SigningError``.
    public func signedAgain(
        _ request: TransportRequest, after rejection: SignatureRejection, at date: Date
    ) async throws -> TransportRequest? {
        guard fallsBackToDraft, rejection.isTrustworthy,
            !request.head.headerFields.contains(MessageSignatureFields.signature),
            Self.isUnprocessed(request, after: rejection)
        else { return nil }
        // The form of this request, and not the preference, which other requests may have changed in the meantime.
        let wasDraft = !rejection.signedHead.headerFields.contains(MessageSignatureFields.input)
        return try await signed(request, byDraft: !wasDraft, at: date)
    }

    /// Remembers the form of a second signature that a server accepted.
    ///
    /// - Parameter request: The request with that signature.
    public func accepted(_ request: TransportRequest) {
        guard fallsBackToDraft else { return }
        let isDraft = !request.head.headerFields.contains(MessageSignatureFields.input)
        preferences.set(request.head, isDraft: isDraft)
    }

    /// Returns true if a repetition of a rejected request cannot do its work twice.
    private static func isUnprocessed(_ request: TransportRequest, after rejection: SignatureRejection) -> Bool {
        if rejection.statusCode == 401 || RequestMethod(rawValue: request.head.method.rawValue).isIdempotent {
            return true
        }
        let fields = rejection.headerFields
        return fields.contains(.known("Accept-Signature"))
            || fields[values: .wwwAuthenticate].contains { $0.lowercased().contains("signature") }
    }

    private func signedByStandard(_ request: TransportRequest, at date: Date) async throws -> TransportRequest {
        var request = request
        let fields = request.head.headerFields
        let inputs = fields[values: MessageSignatureFields.input].joined(separator: ", ")
        let signatures = fields[values: MessageSignatureFields.signature].joined(separator: ", ")
        guard let members = try? StructuredText.dictionary(in: inputs),
            let values = try? StructuredText.dictionary(in: signatures)
        else { throw SigningError(.missingComponent, "the request has a malformed field Signature or Signature-Input") }
        guard members[label] == nil, values[label] == nil else { return request }
        var components = components
        if !request.body.isEmpty {
            try await addDigest(to: &request)
            if !components.contains(.contentDigest) { components.append(.contentDigest) }
        }
        let (input, signature) = try sign(SignatureBase(request.head), components: components, at: date)
        for (name, old, value) in [
            (MessageSignatureFields.input, members, input), (MessageSignatureFields.signature, values, signature),
        ] {
            var members = old
            members[label] = value
            do { request.head.headerFields[name] = try StructuredText.dictionary(members) } catch {
                throw SigningError(.invalidSetting, "the label of the signature is not a key of structured fields")
            }
        }
        return request
    }

    /// Returns the fields that sign a response, for servers and tests.
    ///
    /// - Parameters:
    ///   - response: The head of the response, with a `Content-Digest` if it has a body.
    ///   - request: The request, for components of it.
    ///   - date: The current date.
    /// - Returns: The values of the fields `Signature-Input` and `Signature`.
    /// - Throws: ``SigningError``.
    public func signatureFields(
        of response: HTTPResponse, to request: HTTPRequest? = nil, at date: Date = Date()
    ) throws -> (input: String, signature: String) {
        let (input, signature) = try sign(SignatureBase(response, to: request), components: components, at: date)
        do {
            var (inputs, signatures) = (OrderedMap<String, ItemOrInnerList>(), OrderedMap<String, ItemOrInnerList>())
            inputs[label] = input
            signatures[label] = signature
            return (try StructuredText.dictionary(inputs), try StructuredText.dictionary(signatures))
        } catch {
            throw SigningError(.invalidSetting, "the label of the signature is not a key of structured fields")
        }
    }

    private func sign(
        _ message: SignatureBase, components: [SignedComponent], at date: Date
    ) throws -> (ItemOrInnerList, ItemOrInnerList) {
        guard components.count <= MessageSignatureParameters.maximumComponents else {
            throw SigningError(.invalidSetting, "the signature has more than 64 components")
        }
        guard lifetime.map({ $0 >= .seconds(1) }) ?? true else {
            throw SigningError(.invalidSetting, "the lifetime of a signature is less than one second")
        }
        var parameters = MessageSignatureParameters(components: components)
        let created = Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0
        parameters.created = created
        parameters.expires = lifetime.map { created + min($0.components.seconds, Self.maximumLifetime) }
        parameters.keyID = keyID
        parameters.tag = tag
        if namesAlgorithm { parameters.algorithm = key.algorithm.rawValue }
        if addsNonce {
            var numbers = SystemRandomNumberGenerator()
            parameters.nonce = Base64.text((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &numbers) })
        }
        let text: String
        do throws(MessageSignatureError) {
            text = try message.text(parameters)
        } catch {
            throw SigningError(
                error.reason == .missingComponent ? .missingComponent : .invalidSetting, error.description)
        }
        let signature: Data
        do { signature = try key.signature(of: text) } catch {
            throw SigningError(.invalidSetting, "the key could not sign: \(error)")
        }
        let item = Item(
            bareItem: .undecodedByteSequence(signature.base64EncodedString()),
            parameters: OrderedMap<String, RFC9651BareItem>())
        return (parameters.value, .item(item))
    }

    private func addDigest(to request: inout TransportRequest) async throws {
        let name = HTTPField.Name.known(ContentDigest.Field.content.rawValue)
        guard !request.head.headerFields.contains(name) else { return }
        guard let digest = ContentDigest(.sha256, bytes: try await BodyHash.sha256(of: request)) else { return }
        request.head.headerFields[name] = digest.description
    }
}

extension HTTPMessageSigner: CustomReflectable {
    /// A mirror with the identifier of the key and the components.
    public var customMirror: Mirror { Mirror(self, children: ["keyID": keyID, "components": components]) }
}

/// The header fields of RFC 9421.
enum MessageSignatureFields {
    static let input = HTTPField.Name.known("Signature-Input")
    static let signature = HTTPField.Name.known("Signature")
}
