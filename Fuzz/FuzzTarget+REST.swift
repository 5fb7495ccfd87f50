// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
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
