// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghNIO
import Testing

/// RFC 9525, section 6, as a table: the hosts that match a certificate name.
@Suite("Reference identifier (RFC 9525)", .timeLimit(.minutes(5)))
struct ReferenceIdentifierTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let host: String
        let name: String
        let matches: Bool

        init(_ host: String, _ name: String, _ matches: Bool) {
            (self.host, self.name, self.matches) = (host, name, matches)
        }

        var testDescription: String { "\(host) and \(name)" }
    }

    @Test(
        "A host matches a dNSName by the rules of RFC 9525 only",
        arguments: [
            // Equal names, in any case of ASCII letters.
            Case("birds.test", "birds.test", true),
            Case("BIRDS.test", "birds.TEST", true),
            Case("localhost", "localhost", true),
            Case("birds.test", "bird.test", false),
            Case("birds.test", "a.birds.test", false),
            Case("a.birds.test", "birds.test", false),
            Case("birds.test", "birds.tests", false),
            Case("xbirds.test", "birds.test", false),
            // One dot at the end of the host makes it absolute; a certificate has no such dot.
            Case("birds.test.", "birds.test", true),
            Case("birds.test..", "birds.test", false),
            Case("birds.test", "birds.test.", false),
            Case("a.birds.test.", "*.birds.test", true),
            Case("a.birds.test", "*.birds.test.", false),
            // A wildcard matches one label.
            Case("a.birds.test", "*.birds.test", true),
            Case("A.Birds.Test", "*.birds.test", true),
            Case("birds.test", "*.birds.test", false),
            Case("a.b.birds.test", "*.birds.test", false),
            Case(".birds.test", "*.birds.test", false),
            Case("*.birds.test", "*.birds.test", false),
            Case("a.birds.test", "*.bird.test", false),
            Case("a.b.birds.test", "*.b.birds.test", true),
            // With fewer than two labels behind it a wildcard would match names of other owners.
            Case("birds.test", "*.test", false),
            Case("localhost", "*", false),
            Case("a.birds.test", "*", false),
            // A wildcard is the whole first label.
            Case("bird.birds.test", "b*.birds.test", false),
            Case("bird.birds.test", "*d.birds.test", false),
            Case("bird.birds.test", "b*d.birds.test", false),
            Case("bird.birds.test", "bird*.birds.test", false),
            Case("b.birds.test", "**.birds.test", false),
            Case("a.birds.test", "a.*.test", false),
            Case("a.birds.test", "*.*.test", false),
            Case("a.b.birds.test", "*.*.birds.test", false),
            Case("a.birds.test", "a.birds.*", false),
            // An A-label is a label like any other, but a wildcard in a part of one is invalid.
            Case("xn--bcher-kva.birds.test", "*.birds.test", true),
            Case("xn--bcher-kva.birds.test", "xn--bcher-kva.birds.test", true),
            Case("XN--BCHER-KVA.birds.test", "xn--bcher-kva.birds.test", true),
            Case("a.xn--bcher-kva.test", "*.xn--bcher-kva.test", true),
            Case("xn--bcher-kva.birds.test", "xn--*.birds.test", false),
            Case("xn--bcher-kva.birds.test", "x*.birds.test", false),
            // A certificate contains A-labels only.
            Case("bücher.birds.test", "bücher.birds.test", false),
            Case("bücher.birds.test", "*.birds.test", false),
            Case("xn--bcher-kva.birds.test", "bücher.birds.test", false),
            // Names with underscores are in use.
            Case("my_api.birds.test", "my_api.birds.test", true),
            Case("my_api.birds.test", "*.birds.test", true),
            Case("_a.birds.test", "*.birds.test", true),
            Case("my_api.birds.test", "my-api.birds.test", false),
            Case("a.my_birds.test", "*.my_birds.test", true),
            // Bytes that no name contains.
            Case("birds.test", "birds.test\0.evil.test", false),
            Case("birds.test\0.evil.test", "birds.test", false),
            Case("a birds.test", "a birds.test", false),
            Case("a birds.test", "*.test", false),
            Case("birds.test", " birds.test", false),
            Case("birds.test", "", false),
            Case("", "", false),
            Case(".", "", false),
            Case(".", ".", false),
            Case("", "*", false),
            Case("a..test", "a..test", false),
            Case("a/b.birds.test", "*.birds.test", false),
            Case("a:b.birds.test", "*.birds.test", false),
            // An IP address is not a name, in any notation.
            Case("127.0.0.1", "127.0.0.1", false),
            Case("127.0.0.1", "*.0.0.1", false),
            Case("127.1", "127.1", false),
            Case("1.2.3.0x7f", "1.2.3.0x7f", false),
            Case("1.2.3.0x", "*.2.3.0x", false),
            Case("a.b.1", "*.b.1", false),
            Case("::1", "::1", false),
            Case("1.birds.test", "1.birds.test", true),
            Case("1.birds.test", "*.birds.test", true),
        ])
    func names(_ example: Case) {
        let identifier = ReferenceIdentifier(example.host)
        #expect(identifier.matches([.dnsName(Array(example.name.utf8))]) == example.matches)
        // A name of another type with the same bytes does not match.
        #expect(!identifier.matches([.ipAddress(Array(example.name.utf8))]))
    }

    @Test(
        "An IP address matches an iPAddress of the same bytes",
        arguments: [
            ("127.0.0.1", [127, 0, 0, 1], true),
            ("127.0.0.1", [127, 0, 0, 2], false),
            ("127.0.0.1", [127, 0, 0], false),
            ("127.0.0.1", [127, 0, 0, 1, 255, 255, 255, 255], false),
            ("127.0.0.1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 127, 0, 0, 1], false),
            ("::ffff:127.0.0.1", [127, 0, 0, 1], false),
            ("::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true),
            ("0:0:0:0:0:0:0:1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true),
            ("::1", [0, 0, 0, 1], false),
            ("localhost", [127, 0, 0, 1], false),
            ("127.1", [127, 0, 0, 1], false),
            ("127.0.0.1.", [127, 0, 0, 1], false),
        ] as [(String, [UInt8], Bool)])
    func addresses(host: String, bytes: [UInt8], matches: Bool) {
        #expect(ReferenceIdentifier(host).matches([.ipAddress(bytes)]) == matches)
        #expect(!ReferenceIdentifier(host).matches([.dnsName(bytes)]))
    }

    @Test("One matching name of several is enough, and a certificate without names matches no host")
    func several() {
        let names: [ReferenceIdentifier.Presented] = [
            .dnsName(Array("a.test".utf8)), .ipAddress([127, 0, 0, 1]), .dnsName(Array("*.birds.test".utf8)),
        ]
        #expect(ReferenceIdentifier("a.birds.test").matches(names))
        #expect(ReferenceIdentifier("127.0.0.1").matches(names))
        #expect(!ReferenceIdentifier("b.test").matches(names))
        #expect(!ReferenceIdentifier("b.test").matches([]))
        #expect(!ReferenceIdentifier("127.0.0.1").matches([]))
    }
}
