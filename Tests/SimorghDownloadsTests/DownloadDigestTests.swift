// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghDownloads
import Testing

@Suite(.timeLimit(.minutes(5)))
struct DownloadDigestTests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    @Test(
        "Digests are parsed in the formats that tools print",
        arguments: [
            "sha-256=\(empty)", "sha256:\(empty)", "SHA-256=\(empty.uppercased())",
        ])
    func reads(text: String) throws {
        let digest = try #require(DownloadDigest(text))
        #expect(digest.algorithm == .sha256)
        #expect(digest.description == "sha-256=\(Self.empty)")
    }

    @Test(
        "Invalid digests are nil", arguments: ["", "sha-256", "sha-256=", "sha-256=ab", "md5=\(empty)", "sha-256=zz"])
    func nonsense(text: String) { #expect(DownloadDigest(text) == nil) }

    private static let good = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:"

    @Test(
        "Only complete, known and strong digests of a field are used",
        arguments: [
            [good], ["md5=:1B2M2Y8AsgTpgAmY7PhCfg==:, \(good), sha-512=:AAAA:, unixsum=42"], ["\(good);q=1"],
            ["a, b=(1 2)", good], ["sha-256=:AAAA:", good], ["sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU:"],
        ])
    func fields(values: [String]) {
        #expect(DownloadDigest.parse(values).map(\.description) == ["sha-256=\(Self.empty)"])
    }

    @Test(
        "A malformed field has no digest",
        arguments: [
            [], [""], ["sha-256=47DEQpj8HBSa"], ["\(good),"], ["\(good), SHA-512=:AAAA:"], ["\(good), x=\"y"],
            ["SHA-256=" + good.dropFirst(8)], [good, "sha-256=1"],
            [good + ", x=\"" + String(repeating: "y", count: 8192) + "\""],
        ])
    func malformedFields(values: [String]) { #expect(DownloadDigest.parse(values).isEmpty) }

    @Test("Hashing in pieces equals hashing the whole")
    func hashes() {
        var hasher = FileHasher([.sha256, .sha512])
        for piece in ["a", "", "bc"] { Array(piece.utf8).withUnsafeBytes { hasher.update($0) } }
        #expect(
            hasher.digests.first?.description
                == "sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hasher.digests.map(\.algorithm) == [.sha256, .sha512])
        #expect(FileHasher([]).isIdle)
    }
}
