// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghSupport

/// The description of a failure by the server, in a format that all APIs share (RFC 9457).
///
/// As the RFC requires, a member of another type than it defines counts as missing. The values are the server's text:
/// ``description`` is bounded and has no control characters, the properties are as received.
public struct ProblemDetails: Sendable, Hashable {
    /// The whole document, an object.
    public let document: JSON
    /// The URI that identifies the type of problem; a relative one is resolved against the URL of the response.
    ///
    /// `about:blank` if the server sends none: the status then says everything.
    public let type: String
    /// A summary of the type of problem.
    public let title: String?
    /// The status code, as the server that created the document chose it.
    public let status: Int?
    /// An explanation of this occurrence.
    public let detail: String?
    /// The URI of this occurrence; a relative one is resolved against the URL of the response.
    public let instance: String?

    /// The members that the RFC does not define, an object.
    public var extensions: JSON {
        .object((document.object ?? [:]).filter { !Self.members.contains($0.key) })
    }

    private static let members: Set<String> = ["type", "title", "status", "detail", "instance"]
    /// The longest part of a title or a detail in a description, in characters.
    private static let maximumShown = 512

    /// Creates problem details from a document.
    ///
    /// - Parameters:
    ///   - document: The document; anything but an object has no members.
    ///   - url: The URL that relative URIs are resolved against. Default: empty, they stay relative.
    public init(_ document: JSON, relativeTo url: String = "") {
        func resolved(_ uri: String) -> String {
            url.isEmpty ? uri : URLReference(uri).resolved(against: URLReference(url)).description
        }
        self.document = document.object == nil ? [:] : document
        type = document.type.string.map(resolved) ?? "about:blank"
        title = document.title.string
        status = document.status.int.flatMap { (100...999).contains($0) ? $0 : nil }
        detail = document.detail.string
        instance = document.instance.string.map(resolved)
    }

    /// Creates problem details from a response.
    ///
    /// - Parameter response: The response; `nil` is returned unless it has the media type `application/problem+json` or
    ///   `application/problem+xml`, and a whole, well-formed body.
    public init?(_ response: CollectedResponse) {
        let type = response.headers[values: .contentType].last ?? ""
        let document: JSON?
        switch MediaTypePattern.essence(of: type) {
        case "application/problem+json": document = try? JSON(parsing: response.body)
        case "application/problem+xml":
            document = (try? response.string()).flatMap { PlainXMLElement.parse($0) }.flatMap(Self.document)
        default: return nil
        }
        guard !response.isBodyTruncated, let document, document.object != nil else { return nil }
        self.init(document, relativeTo: response.url)
    }

    /// Returns the members of an XML document (RFC 9457, appendix B).
    private static func document(_ root: PlainXMLElement) -> JSON? {
        guard root.name == "problem" else { return nil }
        var members = value(of: root).object ?? [:]
        members["status"] = members["status"]?.string.flatMap { Int64($0) }.map { .number(JSON.Number($0)) }
        return .object(members)
    }

    /// Returns the value of an element: an array if all its elements are named `i`, an object, or its text.
    private static func value(of element: PlainXMLElement) -> JSON {
        if element.children.isEmpty, element.name != "problem" {
            let blanks = element.text.drop(while: \.isWhitespace)
            return .string(String(blanks.reversed().drop(while: \.isWhitespace).reversed()))
        }
        if !element.children.isEmpty, element.children.allSatisfy({ $0.name == "i" }) {
            return .array(element.children.map(value))
        }
        return .object(Dictionary(element.children.map { ($0.name, value(of: $0)) }) { first, _ in first })
    }
}

extension ProblemDetails: CustomStringConvertible {
    /// One line: the title, the detail, and the type without its query; bounded, with secrets redacted.
    public var description: String {
        let shown = [title, detail].compactMap(\.self).filter { !$0.isEmpty }.map { text in
            let start = String(text.unicodeScalars.prefix(Self.maximumShown))
            let shown = LogText.oneLine(TextRedactor.shown(start, by: .standard))
            return start.unicodeScalars.count < text.unicodeScalars.count ? shown + "…" : shown
        }
        let text = shown.reduce("") { $0.isEmpty ? $1 : $0 + (".!?".contains($0.last ?? ".") ? " " : ": ") + $1 }
        guard type != "about:blank" else { return text }
        let uri = LogText.oneLine(String(Redaction.shown(url: type).unicodeScalars.prefix(Self.maximumShown)))
        return text.isEmpty ? uri : "\(text) (\(uri))"
    }
}

extension NetworkError {
    /// The problem details (RFC 9457) of the server's response; `nil` if it has none.
    public var problem: ProblemDetails? { response.flatMap { ProblemDetails($0) } }
}
