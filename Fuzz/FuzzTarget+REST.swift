// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import RawStructuredFieldValues
import SimorghCore
import SimorghDownloads
import SimorghREST
import SimorghSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FuzzTarget {
    /// `Link` fields: within their limits, and a link written before the input is not changed by it.
    static let linkHeader = FuzzTarget(name: "link-header") { bytes in
        let values = bytes.rest.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
        let base = "https://api.example.com/a/b?c"
        let header = LinkHeader(values, base: base)
        precondition(header.links.count <= LinkHeader.maximumLinks)
        for link in header.links {
            precondition(link.parameters.count <= LinkHeader.maximumParameters)
            precondition(link.parameters.allSatisfy { !$0.name.isEmpty && $0.name == $0.name.lowercased() })
            precondition(link.relations.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() })
            precondition(!link.target.utf8.contains(UInt8(ascii: ">")))
            guard let target = try? BaseURL.absolute(link.url).base, URLReference(link.target).scheme == nil,
                URLReference(link.target).authority == nil
            else { continue }
            precondition(target.host == "api.example.com", "a relative target leads to another host")
        }
        let first = Array("<x>; rel=next; title=\"a\\\"b\", ".utf8)
        let joined = LinkHeader([first + (values.first ?? [])], base: base)
        precondition(joined["next"]?.target == "x" && joined.links[0].title == "a\"b", "the first link changed")
        guard joined.isComplete else { return }
        precondition(joined.links.count - 1 == LinkHeader([values.first ?? []], base: base).links.count)
    }

    /// Structured fields: within their limit, a member written after the input is read, and the digests of a download are
    /// those of a call.
    static let structuredFields = FuzzTarget(name: "structured-fields") { bytes in
        let values = bytes.rest.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        let length = values.reduce(0) { $0 + $1.utf8.count + 2 }
        if let list = StructuredField.list(values) { precondition(list.count <= StructuredField.maximumLength) }
        if let item = StructuredField.item(values) { _ = item.rfc9651BareItem.bytes }
        if let members = StructuredField.dictionary(values) {
            precondition(members.count <= StructuredField.maximumLength && length <= StructuredField.maximumLength + 2)
            if !members.isEmpty, length + 3 <= StructuredField.maximumLength {
                let more = StructuredField.dictionary(values + ["z=1"])
                precondition(more?["z"]?.item?.rfc9651BareItem.integer == 1, "a member is lost")
                precondition(more.map { $0.count - members.count } == (members["z"] == nil ? 1 : 0))
            }
        }
        var head = HTTPResponse(status: .tooManyRequests)
        let names = [
            "Content-Digest", "RateLimit", "RateLimit-Policy", "Accept-Query", "Upload-Limit", "Upload-Offset",
        ]
        for name in names {
            for value in values { head.headerFields.append(HTTPField(name: .known(name), value: value)) }
        }
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        let limits = ServerRateLimit.limits(of: head, now: now)
        precondition(limits.allSatisfy { $0.remaining >= 0 && $0.limit ?? 0 >= 0 })
        _ = AcceptQuery(head.headerFields)?.accepts("text/plain")
        let upload = ResumableUploadProtocol(style: .draft)
        precondition(upload.limit("max-size", in: head.headerFields) ?? 0 >= 0)
        precondition((upload.number("Upload-Offset", in: head.headerFields) ?? 0).magnitude < 1_000_000_000_000_000)
        let downloaded = DownloadDigest.ofContent(head.headerFields, legacy: false).filter { $0.algorithm != .sha384 }
        guard let called = try? ContentDigest.digests(.content, in: head.headerFields) else { return }
        precondition(called.map(\.bytes) == downloaded.map(\.bytes), "the digests differ")
    }

    /// Problem details: read within the limits, and described in one bounded line.
    static let problems = FuzzTarget(name: "problems") { bytes in
        let text = bytes.text
        if let root = PlainXMLElement.parse(text) { check(root, depth: 1) }
        guard let document = try? JSON(parsing: Data(bytes.rest)) else { return }
        let problem = ProblemDetails(document, relativeTo: "https://api.example.com/a")
        precondition(problem.description.utf8.count < 100_000)
        precondition(!problem.description.unicodeScalars.contains(where: LogText.isControl), "a control character")
    }

    private static func check(_ element: PlainXMLElement, depth: Int) {
        precondition(depth <= 32 && !element.name.isEmpty)
        for child in element.children { check(child, depth: depth + 1) }
    }
}
