// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct URLFuzzTests {
    private static let pieces = [
        "/", "//", "\\", ".", "..", "%2e", "%2F", "%25", "%", "@", ":", "?", "#", "evil.com", "a", "é", " ", "\r\n",
        "\u{0}", "https://", ";",
        "[", "]", "80", "%5c", "&", "=", "+", "😀", "v1", "%zz", "\t",
    ]

    private func text(_ generator: inout SeededNumbers) -> String {
        if Int.random(in: 0..<4, using: &generator) == 0 {
            let bytes = (0..<Int.random(in: 0..<24, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
        return (0..<Int.random(in: 0..<8, using: &generator)).compactMap { _ in
            Self.pieces.randomElement(using: &generator)
        }.joined()
    }

    @Test(
        "NET14: random paths never leave the base host or the prefix, and never contain control characters",
        arguments: [UInt64(1), 2, 3, 4])
    func paths(seed: UInt64) throws {
        var generator = SeededNumbers(seed)
        let bases = try ["https://api.example.com", "https://api.example.com/v1?k=1"].map { try BaseURL($0) }
        var accepted = 0
        for _ in 0..<5000 {
            let path = text(&generator)
            let version = Bool.random(using: &generator) ? nil : text(&generator)
            let isEncoded = Bool.random(using: &generator)
            let items =
                Bool.random(using: &generator) ? [] : [QueryItem(name: text(&generator), value: text(&generator))]
            for base in bases {
                guard
                    let target = try? base.target(
                        version: version, path: path, pathIsPercentEncoded: isEncoded, query: items)
                else { continue }
                accepted += 1
                #expect(target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }, "\(path)")
                #expect(target.hasPrefix("/") && !target.hasPrefix("//"), "\(path) \(version ?? "-")")
                let whole = try #require(URLComponents(string: "https://api.example.com" + target), "\(target)")
                #expect(whole.host == "api.example.com" && whole.user == nil && whole.port == nil, "\(target)")
                let directory = whole.percentEncodedPath.split(separator: "/").map { $0.removingPercentEncoding ?? "" }
                #expect(!directory.contains("..") && !directory.contains("."), "\(target)")
                #expect(base.pathPrefix.isEmpty || whole.percentEncodedPath.hasPrefix("/v1"), "\(target)")
            }
        }
        #expect(accepted > 2000)
    }

    @Test(
        "Random bases and absolute URLs are parsed or refused, and an accepted URL is accepted again",
        arguments: [UInt64(5), 6])
    func bases(seed: UInt64) throws {
        var generator = SeededNumbers(seed)
        for _ in 0..<10000 {
            let text = (Bool.random(using: &generator) ? "https://" : "") + self.text(&generator)
            if let base = try? BaseURL(text) {
                #expect(try BaseURL(base.description).authority == base.authority, "\(text)")
                #expect(!base.host.isEmpty && (1...65535).contains(base.port), "\(text)")
            }
            if let (base, target) = try? BaseURL.absolute(text) {
                #expect(target.hasPrefix("/") && target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "\(text)")
                let whole = try #require(URLComponents(string: "\(base)\(target)"), "\(text)")
                #expect(
                    whole.encodedHost?.lowercased() == base.authority.split(separator: ":").first.map(String.init)
                        || base.host.contains(":"), "\(text)")
            }
        }
    }

    @Test("Random names and values survive a round trip through a form parser", arguments: [UInt64(7), 8])
    func roundTrip(seed: UInt64) throws {
        var generator = SeededNumbers(seed)
        for _ in 0..<2000 {
            let items = (0..<Int.random(in: 1..<4, using: &generator)).map { _ in
                QueryItem(name: text(&generator) + "n", value: text(&generator))
            }
            #expect(formParsed(items.encoded) == items)
        }
    }
}
