// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import TestSupport
import Testing

@Suite("Strict-Transport-Security (RFC 6797, section 6.1)", .timeLimit(.minutes(5)))
struct HSTSFieldTests {
    @Test(
        "A field that follows the grammar is read",
        arguments: [
            // The examples of section 6.2.
            ("max-age=31536000", 31_536_000, false), ("max-age=15768000 ; includeSubDomains", 15_768_000, true),
            ("max-age=\"31536000\"", 31_536_000, false), ("max-age=0", 0, false),
            ("max-age=0; includeSubDomains", 0, true),
            ("MAX-AGE=5; INCLUDESUBDOMAINS", 5, true), ("includesubdomains;max-age=5", 5, true),
            (";; max-age=5 ;; ", 5, false), ("max-age = 5", 5, false), ("max-age=5; preload", 5, false),
            ("max-age=5; other=\"a;b\\\"c\"; includeSubDomains", 5, true), ("max-age=\"\\5\"", 5, false),
            ("max-age=0005", 5, false), ("\tmax-age=5\t", 5, false),
            // Two years at most.
            ("max-age=63072001", 63_072_000, false), ("max-age=99999999999999999999999", 63_072_000, false),
        ])
    func valid(text: String, age: Int, includesSubdomains: Bool) throws {
        let field = try #require(HSTSField(text))
        #expect(field.maximumAge == Int64(age))
        #expect(field.includesSubdomains == includesSubdomains)
    }

    @Test(
        "A field that breaks the grammar is ignored as a whole",
        arguments: [
            "", ";", "includeSubDomains", "max-age", "max-age=", "max-age=a", "max-age=-1", "max-age=1.5",
            "max-age=\"\"", "max-age=1; max-age=1", "max-age=1; Max-Age=2",
            "max-age=1; includeSubDomains; includeSubDomains", "max-age=1; x=1; X=2",
            "max-age=1; includeSubDomains=true", "max-age=1; includeSubDomains=\"\"", "max-age=1, max-age=2",
            "max-age=1 includeSubDomains", "max-age=\"1", "max-age=\"1\"2", "max-age=1; =5", "max-age=1; a=",
            "max-age=1; a b", "max-age=1; \"a\"", "max-age=1; é", "max-age=１",
            "max-age=1; a=" + String(repeating: "b", count: 5000),
        ])
    func invalid(text: String) { #expect(HSTSField(text) == nil) }

    @Test("Random changes of valid fields never trap, and an accepted age is within the limits")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededNumbers(seed)
        let alphabet = Array("max-age=015;\" \\includeSubDomains\t,é")
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? ";" })
            if let field = HSTSField(text) {
                #expect((0...HSTSField.longestAge).contains(field.maximumAge), "seed \(seed): \(text)")
            }
        }
    }
}
