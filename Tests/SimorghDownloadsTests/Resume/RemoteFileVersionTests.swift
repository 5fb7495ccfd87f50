// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct RemoteFileVersionTests {
    private static let monday = "Mon, 06 Jan 2025 10:00:00 GMT"
    private static let second = "Mon, 06 Jan 2025 10:00:01 GMT"

    private func entity(_ fields: HTTPFields, total: Int64? = 100) -> RemoteFileVersion {
        RemoteFileVersion(url: "https://a.test/f", fields: fields, total: total)
    }

    @Test("A strong ETag is a validator; a weak one is not, and neither is a date beside it")
    func tags() {
        #expect(entity([.eTag: "\"a\""]).validator == .tag("\"a\""))
        #expect(entity([.eTag: "\"\""]).validator == .tag("\"\""))
        for bad in ["W/\"a\"", "a", "\"", "\"a\"b\"", "\"a b\""] {
            #expect(entity([.eTag: bad, .lastModified: Self.monday, .date: Self.second]).validator == nil)
        }
    }

    private static let datesTable: [(String, String, Bool)] = [
        (monday, second, true), (monday, monday, false), (second, monday, false), (monday, "soon", false),
        ("Monday", second, false), ("Mon Jan  6 10:00:00 2025", second, true),
    ]

    @Test("Last-Modified is a strong validator if it is at least one second before Date", arguments: datesTable)
    func dates(modified: String, date: String, isStrong: Bool) {
        let validator = entity([.lastModified: modified, .date: date]).validator
        #expect(validator == (isStrong ? .date(modified) : nil))
    }

    @Test("Last-Modified without Date is not a validator")
    func noDate() { #expect(entity([.lastModified: Self.monday]).validator == nil) }

    @Test("An encoded response has no validator")
    func encoded() {
        #expect(entity([.eTag: "\"a\"", .contentEncoding: "gzip"]).validator == nil)
        for label in ["identity", "UTF-8", "none", "binary", "aws-chunked"] {
            #expect(entity([.eTag: "\"a\"", .contentEncoding: label]).validator != nil)
        }
    }

    @Test(
        "Content-Encoding of a file that is itself compressed is not a content coding",
        arguments: [
            ("https://a.test/b.tar.gz?x=1", [:], true), ("https://a.test/b.TGZ", [:], true),
            ("https://a.test/b", [.contentType: "application/x-gzip"], true),
            ("https://a.test/b", [.contentDisposition: "attachment; filename=a.gz"], true),
            ("https://a.test/b.tar", [:], false), ("https://a.test/gz", [.contentType: "text/plain"], false),
        ] as [(String, HTTPFields, Bool)])
    func labels(url: String, fields: HTTPFields, isFile: Bool) {
        for coding in ["gzip", "x-gzip"] {
            var fields = fields
            fields[.contentEncoding] = coding
            #expect((RemoteFileVersion(url: url, fields: fields, total: 1).coding == nil) == isFile)
        }
        var fields = fields
        fields[.contentEncoding] = "br"
        #expect(RemoteFileVersion(url: url, fields: fields, total: 1).coding == "br")
    }

    private static let othersTable: [(HTTPFields, Int64?)] = [
        ([.eTag: "\"b\"", .lastModified: monday], 100), ([.lastModified: monday], 100),
        ([.eTag: "W/\"a\"", .lastModified: monday], 100),
        ([.eTag: "\"a\"", .lastModified: monday], 101),
        ([.eTag: "\"a\"", .lastModified: monday, .contentEncoding: "br"], 100),
    ]

    @Test("Another length, ETag, coding or date is another version of the file", arguments: othersTable)
    func others(fields: HTTPFields, total: Int64?) {
        let known = entity([.eTag: "\"a\"", .lastModified: Self.monday])
        #expect(known.contradiction(to: entity(fields, total: total)) != nil)
    }

    @Test("Fields that a 206 omits are not a contradiction")
    func same() {
        let known = entity([.eTag: "\"a\"", .lastModified: Self.monday])
        #expect(known.contradiction(to: known) == nil)
        #expect(known.contradiction(to: entity([.eTag: "\"a\""], total: nil)) == nil)
        // Two backends may serve one file with different dates.
        #expect(known.contradiction(to: entity([.eTag: "\"a\"", .lastModified: Self.second])) == nil)
        let dated = entity([.lastModified: Self.monday, .date: Self.second])
        #expect(dated.contradiction(to: entity([:])) == nil)
        #expect(dated.contradiction(to: entity([.eTag: "\"new\""])) != nil)
    }

    @Test("Another digest is a contradiction")
    func digests() throws {
        let name = try #require(HTTPField.Name("Repr-Digest"))
        let a = "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:"
        let b = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"
        #expect(entity([name: a]).digests.count == 1)
        #expect(entity([name: a]).contradiction(to: entity([name: b])) != nil)
        #expect(entity([name: a]).contradiction(to: entity([name: a])) == nil)
    }
}
