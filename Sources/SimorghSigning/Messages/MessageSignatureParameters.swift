// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import RawStructuredFieldValues
import SimorghSupport

/// The components and the parameters of a signature, as in the field `Signature-Input` (RFC 9421, section 2.3).
package struct MessageSignatureParameters: Sendable {
    /// The largest number of components of a signature.
    package static let maximumComponents = 64

    package private(set) var components: [SignedComponent]
    package var created: Int64?
    package var expires: Int64?
    package var nonce: String?
    package var algorithm: String?
    package var keyID: String?
    package var tag: String?
    /// The list as it was received: its order, and parameters that are unknown here, are part of the signed text.
    private let received: InnerList?

    package init(components: [SignedComponent]) {
        self.components = components
        received = nil
    }

    /// Parses a member of `Signature-Input`.
    init(_ value: ItemOrInnerList) throws(MessageSignatureError) {
        guard case .innerList(let list) = value else {
            throw MessageSignatureError(.malformed, "a member of Signature-Input is not an inner list")
        }
        components = []
        received = list
        for item in list.bareInnerList {
            guard components.count < Self.maximumComponents else {
                throw MessageSignatureError(
                    .tooLarge, "the signature has more than \(Self.maximumComponents) components")
            }
            let component = try SignedComponent(item)
            guard !components.contains(component) else {
                throw MessageSignatureError(.malformed, "the signature names a component twice")
            }
            components.append(component)
        }
        for (key, value) in list.rfc9651Parameters {
            switch (key, value) {
            case ("created", .integer(let number)): created = number
            case ("expires", .integer(let number)): expires = number
            case ("nonce", .string(let text)): nonce = text
            case ("alg", .string(let text)): algorithm = text
            case ("keyid", .string(let text)): keyID = text
            case ("tag", .string(let text)): tag = text
            case ("created", _), ("expires", _), ("nonce", _), ("alg", _), ("keyid", _), ("tag", _):
                throw MessageSignatureError(.malformed, "the parameter \(key) of the signature has the wrong type")
            default: break
            }
        }
    }

    /// The identifiers of the components.
    var identifiers: [Item] { received.map { Array($0.bareInnerList) } ?? components.map(\.item) }

    /// The inner list.
    var value: ItemOrInnerList {
        if let received { return .innerList(received) }
        var list = BareInnerList()
        for component in components { list.append(component.item) }
        var parameters = OrderedMap<String, RFC9651BareItem>()
        if let created { parameters["created"] = .integer(created) }
        if let expires { parameters["expires"] = .integer(expires) }
        if let nonce { parameters["nonce"] = .string(nonce) }
        if let algorithm { parameters["alg"] = .string(algorithm) }
        if let keyID { parameters["keyid"] = .string(keyID) }
        if let tag { parameters["tag"] = .string(tag) }
        return .innerList(InnerList(bareInnerList: list, parameters: parameters))
    }

    /// The text of the component `@signature-params`.
    package func text() throws(MessageSignatureError) -> String {
        do { return try StructuredText.value(value) } catch {
            throw MessageSignatureError(
                .malformed, "a name or a parameter of the signature has a character that is not allowed")
        }
    }
}
