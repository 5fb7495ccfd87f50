// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A request as a cassette compares it: its secrets taken out.
struct CassetteQuestion: Sendable {
    let method: String
    let url: String
    let headers: [HARDocument.Record]
    let body: Data
    let bodyType: String?

    init(_ request: RecordedRequest, _ scrubber: SecretScrubber) {
        let secrets = scrubber.secrets(in: request.head)
        method = request.method.rawValue
        url = SecretScrubber.hide(secrets, in: scrubber.url(request.url))
        headers = request.head.headerFields.map {
            .init(name: $0.name.rawName, value: SecretScrubber.hide(secrets, in: scrubber.value($0)))
        }
        bodyType = request.header(.contentType)
        let scrubbed = scrubber.body(request.body, contentType: bodyType)
        body =
            String(validating: scrubbed, as: UTF8.self).map { Data(SecretScrubber.hide(secrets, in: $0).utf8) }
            ?? scrubbed
    }

    /// What is different in an entry, one line each, the gravest first; none where it is meant.
    func differences(from entry: CassetteEntry, _ rules: Cassette.Rules) -> [String] {
        var found: [String] = []
        if method != entry.method { found.append("the method is \(method), not \(entry.method)") }
        let (mine, theirs) = (Target(url), Target(entry.url))
        let (path, recorded) =
            rules.comparesOrigin ? (mine.path, theirs.path) : (Self.path(mine.path), Self.path(theirs.path))
        if path != recorded { found.append("the URL is \(path), not \(recorded)") }
        let (items, others) = (Self.items(mine.query, rules), Self.items(theirs.query, rules))
        if items != others {
            found.append("the query is \(items.joined(separator: "&")), not \(others.joined(separator: "&"))")
        }
        for name in rules.headers.sorted() {
            let (value, other) = (Self.value(name, headers), Self.value(name, entry.headers))
            if value != other { found.append("\(name) is \(value ?? "not there"), not \(other ?? "not there")") }
        }
        if rules.comparesBodies, !Self.areAlike(body, bodyType, entry.body, entry.bodyType) {
            found.append("the body is another")
        }
        return found
    }

    private static func path(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[scheme.upperBound...].drop { $0 != "/" })
    }

    private static func items(_ query: String?, _ rules: Cassette.Rules) -> [String] {
        FormURLEncoded.parse(query ?? "").filter { !rules.ignoredQueryItems.contains($0.name) }
            .map { "\($0.name)=\($0.value)" }.sorted()
    }

    private static func value(_ name: String, _ headers: [HARDocument.Record]) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    private static func areAlike(_ left: Data, _ leftType: String?, _ right: Data, _ rightType: String?) -> Bool {
        if left == right { return true }
        if let left = try? JSON(parsing: left), let right = try? JSON(parsing: right) { return left == right }
        guard let mine = boundary(leftType), let theirs = boundary(rightType) else { return false }
        return String(decoding: left, as: UTF8.self).split(separator: mine)
            == String(decoding: right, as: UTF8.self).split(separator: theirs)
    }

    private static func boundary(_ type: String?) -> String? { try? MultipartParser.boundary(of: type ?? "") }
}
