// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite("CacheKeyMemo")
struct CacheKeyMemoTests {
    @Test("The cache key of a URL is the same on the first and on later look-ups, for any number of URLs")
    func remembered() {
        let memo = CacheKeyMemo()
        for _ in 0..<2 {
            for number in 0..<200 {
                let head = HTTPRequest(
                    method: .get, scheme: "HTTPS", authority: "A.example:443", path: "/\(number)#part")
                // Each twice: only the last one is remembered.
                for partition in ["", "", "n:me", "n:me", "n:\u{E9}", "n:e\u{301}"] {
                    let entry = memo.entry(of: head, partition: partition)
                    #expect(entry?.url == "https://a.example/\(number)")
                    #expect(entry?.key == CacheKey(partition: partition, url: "https://a.example/\(number)"))
                }
            }
        }
    }

    @Test("URLs that differ in scheme, host or path have different cache keys")
    func different() {
        let memo = CacheKeyMemo()
        let heads: [HTTPRequest] = ["http", "https"].flatMap { scheme in
            ["a.example", "b.example"].flatMap { host in
                ["/x", "/y", nil].map { HTTPRequest(method: .get, scheme: scheme, authority: host, path: $0) }
            }
        }
        for _ in 0..<2 {
            let urls = heads.map { memo.entry(of: $0, partition: "")?.url }
            #expect(Set(urls).count == heads.count && !urls.contains(nil))
        }
    }

    @Test("A request without an HTTP URL has no cache key", arguments: [("ftp", "a.example"), ("https", ""), ("", "")])
    func none(scheme: String, authority: String) {
        let memo = CacheKeyMemo()
        let head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/")
        for _ in 0..<2 { #expect(memo.entry(of: head, partition: "") == nil) }
    }
}
