// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import RawStructuredFieldValues
import SimorghCore
import SimorghSupport

/// A message and its signature base, the text that is signed for it (RFC 9421, section 2.5).
package struct SignatureBase: Sendable {
    /// The largest text that is signed, in bytes.
    private static let maximumBytes = 256 * 1024

    private let request: HTTPRequest?
    private let response: HTTPResponse?
    /// True for a received request, whose fields another program has chosen.
    private let isReceived: Bool

    package init(_ request: HTTPRequest, isReceived: Bool = false) {
        self.request = request
        self.isReceived = isReceived
        response = nil
    }

    package init(_ response: HTTPResponse, to request: HTTPRequest?) {
        self.response = response
        self.request = request
        isReceived = false
    }

    /// The header fields of the message.
    var headerFields: HTTPFields { response?.headerFields ?? request?.headerFields ?? HTTPFields() }

    /// Returns the text that is signed.
    package func text(_ parameters: MessageSignatureParameters) throws(MessageSignatureError) -> String {
        var lines: [String] = []
        var count = 0
        var dictionaries = Dictionaries()
        try checkHost()
        for (component, item) in zip(parameters.components, parameters.identifiers) {
            guard component.name != "@signature-params" else {
                throw MessageSignatureError(.malformed, "the component @signature-params cannot be named")
            }
            let identifier: String
            do { identifier = try StructuredText.item(item) } catch {
                throw MessageSignatureError(.malformed, "the name of a component has a character that is not allowed")
            }
            let value = try value(of: component, &dictionaries)
            // A line break would let a value look like another component.
            guard value.utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }) else {
                throw MessageSignatureError(
                    .malformed, "the value of \(LogText.value(component.name)) has a line break or is not ASCII")
            }
            lines.append("\(identifier): \(value)")
            count += identifier.utf8.count + value.utf8.count
            guard count <= Self.maximumBytes else {
                throw MessageSignatureError(.tooLarge, "the signed components have more than 256 KiB")
            }
        }
        lines.append("\"@signature-params\": \(try parameters.text())")
        return lines.joined(separator: "\n")
    }

    /// The parsed fields of one message, so that each is parsed once.
    private typealias Dictionaries = [String: OrderedMap<String, ItemOrInnerList>]

    private func value(
        of component: SignedComponent, _ dictionaries: inout Dictionaries
    ) throws(MessageSignatureError) -> String {
        if component.isOfRequest, response == nil {
            throw missing(component, "only the signature of a response can cover a component of its request")
        }
        guard component.name.hasPrefix("@") else { return try fieldValue(of: component, &dictionaries) }
        guard !component.isBinary, component.member == nil,
            (component.name == "@query-param") == (component.queryItem != nil)
        else {
            throw MessageSignatureError(
                .malformed, "\(LogText.value(component.name)) has a parameter that is not allowed")
        }
        if component.name == "@status" {
            guard let response, !component.isOfRequest else { throw missing(component, "it is not a response") }
            return "\(response.status.code)"
        }
        guard let request, response == nil || component.isOfRequest else {
            throw missing(component, "the message is a response, or its request is unknown")
        }
        return try derived(component, request)
    }

    private func derived(
        _ component: SignedComponent, _ request: HTTPRequest
    ) throws(MessageSignatureError) -> String {
        let target = request.path ?? "/"
        let mark = target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let query = mark.map { String(target[target.index(after: $0)...]) }
        switch component.name {
        case "@method": return request.method.rawValue
        case "@scheme": return try scheme(component, request)
        case "@authority": return try authority(component, request)
        case "@target-uri":
            return "\(try scheme(component, request))://\(try authority(component, request))\(target)"
        case "@request-target": return target
        case "@path": return mark.map { String(target[..<$0]) } ?? (target.isEmpty ? "/" : target)
        case "@query": return "?\(query ?? "")"
        case "@query-param":
            let items = DecodedQuery.items((query ?? "")[...])
            let values = items.filter { Self.formEncoded($0.name) == component.queryItem }.map(\.value)
            guard values.count == 1, let value = values.first else {
                throw missing(component, "the query does not have the item exactly once")
            }
            // The encoding replaces invalid bytes, so that different values would have the same signature.
            guard String(validating: value, as: UTF8.self) != nil else {
                throw MessageSignatureError(.malformed, "the value of the item of the query is not UTF-8")
            }
            return Self.formEncoded(value)
        default:
            throw MessageSignatureError(
                .unsupported, "the component \(LogText.value(component.name)) is not supported")
        }
    }

    private func authority(
        _ component: SignedComponent, _ request: HTTPRequest
    ) throws(MessageSignatureError) -> String {
        let host: String
        do { host = try request.hostToSign } catch { throw missing(component, error.description) }
        return Self.normalized(host, scheme: try scheme(component, request))
    }

    /// Throws if a received request names two hosts.
    ///
    /// A program serves the authority (`:authority` of HTTP/2), so a signature for another host must not be valid.
    private func checkHost() throws(MessageSignatureError) {
        guard isReceived, let request, let authority = request.authority else { return }
        let own: String?
        do { own = try HostField.value(in: request.headerFields) } catch {
            throw MessageSignatureError(.malformed, error.message)
        }
        let scheme = request.scheme?.lowercased() ?? "https"
        guard let own, Self.normalized(own, scheme: scheme) != Self.normalized(authority, scheme: scheme) else {
            return
        }
        throw MessageSignatureError(.malformed, "the field Host and the authority of the request differ")
    }

    /// Returns a host in lowercase, without the port of its scheme.
    private static func normalized(_ host: String, scheme: String) -> String {
        let port = scheme == "http" ? ":80" : ":443"
        return (host.hasSuffix(port) ? String(host.dropLast(port.count)) : host).lowercased()
    }

    private func scheme(
        _ component: SignedComponent, _ request: HTTPRequest
    ) throws(MessageSignatureError) -> String {
        guard let scheme = request.scheme else { throw missing(component, "the request has no scheme") }
        return scheme.lowercased()
    }

    private func fieldValue(
        of component: SignedComponent, _ dictionaries: inout Dictionaries
    ) throws(MessageSignatureError) -> String {
        guard component.queryItem == nil, !component.isBinary || component.member == nil else {
            throw MessageSignatureError(.malformed, "a field has a parameter that is not allowed")
        }
        let fields = component.isOfRequest ? request?.headerFields : headerFields
        guard let name = HTTPField.Name(component.name), let fields else {
            throw missing(component, "it is not the name of a field, or the request is unknown")
        }
        let lines = fields[values: name].map { String($0.trimmingBlanks) }
        guard !lines.isEmpty else { throw missing(component, "the message does not have the field") }
        if component.isBinary { return lines.map { ":\(Base64.text($0)):" }.joined(separator: ", ") }
        // Cookies are sent as one line (RFC 9113, section 8.2.3).
        let value = lines.joined(separator: component.name == "cookie" ? "; " : ", ")
        guard let member = component.member else { return value }
        let key = component.isOfRequest ? "\(component.name);req" : component.name
        if dictionaries[key] == nil {
            guard StructuredText.isSmall(value) else {
                throw MessageSignatureError(
                    .tooLarge, "the field \(LogText.value(component.name)) has more than 16 KiB or 256 members")
            }
            guard let members = try? StructuredText.dictionary(in: value) else {
                throw missing(component, "the field is not a dictionary of structured fields")
            }
            dictionaries[key] = members
        }
        guard let found = dictionaries[key]?[member], let text = try? StructuredText.value(found) else {
            throw missing(component, "the field does not have the member")
        }
        return text
    }

    private func missing(_ component: SignedComponent, _ reason: String) -> MessageSignatureError {
        MessageSignatureError(
            .missingComponent, "the message has no value for \(LogText.value(component.name)): \(reason)")
    }

    private static let formBytes = ByteSet.letters.union(.digits).union(ByteSet("*-._"))

    /// Returns bytes in the form encoding of WHATWG, with `%20` for a space (RFC 9421, section 2.2.8).
    static func formEncoded(_ bytes: [UInt8]) -> String {
        PercentEncoding.encoded(String(decoding: bytes, as: UTF8.self), keeping: formBytes)
    }
}
