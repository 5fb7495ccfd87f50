// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TLSOptionsTests {
    @Test("TLSOptions with the same values are equal, however they were set")
    func equality() {
        var left = TLSOptions()
        var right = TLSOptions()
        left.minimumVersion = .tls13
        #expect(left != right)
        right.minimumVersion = .tls13
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        left.minimumVersion = .tls12
        #expect(left == TLSOptions())
        let judge = TLSEvaluation.afterVerification { _ in }
        left.evaluation = judge
        right = left
        #expect(left == right)
        right.evaluation = .afterVerification { _ in }
        #expect(left != right)
    }

    @Test(
        "HostPattern matches its hosts and no others",
        arguments: [
            ("example.com", "example.com", true), ("Example.COM", "example.com", true),
            ("example.com", "example.com.", true), ("example.com.", "example.com", true),
            ("example.com", "a.example.com", false), ("example.com", "notexample.com", false),
            ("*.example.com", "a.example.com", true), ("*.example.com", "a.b.example.com", false),
            ("*.example.com", "example.com", false), ("*.example.com", ".example.com", false),
            ("*.example.com", "aexample.com", false), ("**.example.com", "a.example.com", true),
            ("**.example.com", "a.b.example.com", true), ("**.example.com", "example.com", false),
            ("bücher.example", "xn--bcher-kva.example", true), ("*", "example.com", true), ("*", "::1", true),
            ("127.0.0.1", "127.0.0.1", true),
            ("::1", "::1", true), ("[::1]", "::1", true), ("127.0.0.1", "127.0.0.10", false),
        ])
    func patterns(pattern: String, host: String, isMatch: Bool) throws {
        #expect(try #require(HostPattern(pattern)).matches(host) == isMatch)
    }

    @Test(
        "Text that names no host is not a HostPattern",
        arguments: ["", "*.", "**.", "a b", "a..b", "*a.example", "a.*.b", "½", "**"])
    func noPattern(text: String) { #expect(HostPattern(text) == nil) }

    @Test("A pin matches any key of the chain; with bindsServerAlone only the server's own, and no proxy")
    func pinsOfTheServer() {
        let (server, issuer): ([UInt8], [UInt8]) = ([1, 2, 3], [4, 5, 6])
        var pins = TLSPins(host: "*", keys: [TLSPins.pin(of: issuer)], needsBackup: false)
        #expect(pins.accept(server: server, chain: [server, issuer]))
        let others = pins
        pins.appliesToServerKeyOnly = true
        #expect(pins != others)
        #expect(!pins.accept(server: server, chain: [server, issuer]))
        #expect(pins.accept(server: issuer, chain: [issuer]))
        #expect(!pins.accept(server: nil, chain: [server, issuer]))
        var options = TLSOptions()
        options.pins = [pins, others]
        #expect(options.forProxy.pins == [others])
    }

    @Test("The first rule that matches a host replaces the options completely, and rules do not nest")
    func rules() throws {
        var strict = TLSOptions()
        strict.minimumVersion = .tls13
        var nested = strict
        nested.rules = [TLSRule(host: "*", options: TLSOptions())]
        var options = TLSOptions()
        options.serverName = "other.example"
        options.rules = [
            TLSRule(host: "a.example", options: nested), TLSRule(host: "*.example", options: TLSOptions()),
        ]
        #expect(try options.resolved(for: "a.example") == strict)
        #expect(try options.resolved(for: "b.example") == TLSOptions())
        let rest = try options.resolved(for: "elsewhere.test")
        #expect(rest.serverName == "other.example")
        #expect(rest.rules.isEmpty)
    }
}
