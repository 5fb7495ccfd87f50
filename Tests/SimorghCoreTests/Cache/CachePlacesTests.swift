// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite("Where the responses to the last URLs are")
struct CachePlacesTests {
    @Test("A place is the same whether the URL was asked for before or not, however many are")
    func remembered() {
        let places = CachePlaces()
        for _ in 0..<2 {
            for number in 0..<200 {
                let written = "HTTPS://A.example:443/\(number)#part"
                // Each twice: only the one asked for last is remembered.
                for partition in ["", "", "n:me", "n:me", "n:\u{E9}", "n:e\u{301}"] {
                    let place = places.place(of: written, partition: partition)
                    #expect(place?.url == "https://a.example/\(number)")
                    #expect(place?.key == CacheKey(partition: partition, url: "https://a.example/\(number)"))
                }
            }
        }
    }

    @Test("What is no URL of HTTP has no place", arguments: ["", "x", "ftp://a.example/", "https://"])
    func none(written: String) {
        let places = CachePlaces()
        for _ in 0..<2 { #expect(places.place(of: written, partition: "") == nil) }
    }
}
