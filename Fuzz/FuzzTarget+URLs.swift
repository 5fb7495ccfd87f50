// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

extension FuzzTarget {
    /// Base URLs, paths and queries: the result is a target on the same host, below the same prefix, that parses back
    /// to the same parts.
    static let url = FuzzTarget(name: "url") { bytes in
        let isEncoded = bytes.below(2) == 0
        let hasVersion = bytes.below(2) == 0
        let texts = bytes.texts
        let (text, path) = (texts[0], texts.count > 1 ? texts[1] : texts[0])
        let version = hasVersion && texts.count > 2 ? texts[2] : nil
        var items: [QueryItem] = []
        for index in stride(from: 3, to: texts.count - 1, by: 2) {
            items.append(.init(name: texts[index], value: texts[index + 1]))
        }

        if let base = try? BaseURL(text) {
            let again = try? BaseURL(base.description)
            precondition(again?.authority == base.authority && again?.pathPrefix == base.pathPrefix, "not parsed back")
            check(base: base)
        }
        if let (base, target) = try? BaseURL.absolute(text) {
            check(base: base)
            check(target)
            let again = try? BaseURL.absolute("\(base)\(target)")
            precondition(
                again?.base.description == base.description && again?.base.port == base.port && again?.target == target,
                "not parsed back")
        }
        for base in bases {
            guard
                let target = try? base.target(
                    version: version, path: path, pathIsPercentEncoded: isEncoded, query: items)
            else { continue }
            check(target)
            precondition(base.pathPrefix.isEmpty || target.hasPrefix(base.pathPrefix), "the prefix is lost")
            // A path of two slashes is a path of its own, and stays.
            let again = try? BaseURL.absolute("https://api.example.com\(target)")
            precondition(again?.base.host == "api.example.com" && again?.target == target, "not parsed back")
        }
        _ = try? Proxy(text)
        _ = ProxyBypass(text).contains(path)
    }

    /// References: the parts join to the original text, and a resolved one keeps the host unless it names another.
    static let urlReference = FuzzTarget(name: "url-reference") { bytes in
        let text = bytes.text
        let reference = URLReference(text)
        precondition(reference.description.utf8.elementsEqual(text.utf8), "the parts do not join to the original")
        for base in ["https://api.example.com/a/b/c?q#f", "http://h", "https://h/?", "http://h/a/../b/./"] {
            let page = URLReference(base)
            let resolved = reference.resolved(against: page)
            precondition(resolved.scheme == reference.scheme ?? page.scheme, "the scheme differs")
            if reference.scheme == nil {
                precondition(resolved.authority == reference.authority ?? page.authority, "the host differs")
            }
            guard reference.scheme == nil, reference.authority == nil else { continue }
            let whole = try? BaseURL.absolute(resolved.description)
            if let whole { precondition(whole.base.host == page.authority.map(String.init), "the host differs") }
            if reference.path.utf8.first != UInt8(ascii: "/"), reference.path.isEmpty { continue }
            precondition(!resolved.path.utf8.isEmpty && !hasDots(resolved.path), "dot segments are left")
        }
    }

    private static let bases = ["https://api.example.com", "https://api.example.com/v1/?k=1"].compactMap {
        try? BaseURL($0)
    }

    private static func check(base: BaseURL) {
        precondition(!base.host.isEmpty && (1...65535).contains(base.port))
        precondition(base.authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#@\\".utf8.contains($0) })
    }

    private static func check(_ target: String) {
        precondition(target.utf8.first == UInt8(ascii: "/"), "a target without a slash")
        precondition(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an invalid character in a target")
        precondition(!target.utf8.contains(UInt8(ascii: "#")), "a target with a fragment")
    }

    private static func hasDots(_ path: Substring) -> Bool {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }
    }
}
