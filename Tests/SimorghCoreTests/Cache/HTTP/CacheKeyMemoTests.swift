// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite("Where the responses to the last URLs are")
struct CacheKeyMemoTests {
    @Test("A place is the same whether the URL was asked for before or not, however many are")
    func remembered() {
        let places = CacheKeyMemo()
        for _ in 0..<2 {
            for number in 0..<200 {
                let head = HTTPRequest(
                    method: .get, scheme: "HTTPS", authority: "A.example:443", path: "/\(number)#part")
                // Each twice: only the one asked for last is remembered.
                for partition in ["", "", "n:me", "n:me", "n:\u{E9}", "n:e\u{301}"] {
                    let place = places.place(of: head, partition: partition)
                    #expect(place?.url == "https://a.example/\(number)")
                    #expect(place?.key == CacheKey(partition: partition, url: "https://a.example/\(number)"))
                }
            }
        }
    }

    @Test("URLs that differ in their scheme, host or path have places of their own")
    func different() {
        let places = CacheKeyMemo()
        let heads: [HTTPRequest] = ["http", "https"].flatMap { scheme in
            ["a.example", "b.example"].flatMap { host in
                ["/x", "/y", nil].map { HTTPRequest(method: .get, scheme: scheme, authority: host, path: $0) }
            }
        }
        for _ in 0..<2 {
            let urls = heads.map { places.place(of: $0, partition: "")?.url }
            #expect(Set(urls).count == heads.count && !urls.contains(nil))
        }
    }

    @Test("What is no URL of HTTP has no place", arguments: [("ftp", "a.example"), ("https", ""), ("", "")])
    func none(scheme: String, authority: String) {
        let places = CacheKeyMemo()
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        for _ in 0..<2 { #expect(places.place(of: head, partition: "") == nil) }
    }
}
