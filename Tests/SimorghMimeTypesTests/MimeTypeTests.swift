// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct MimeTypeTests {
    @Test("Each sample is detected by its bytes and its name")
    func samples() {
        for sample in MimeSamples.all {
            let type = MimeTypeDetector.detectMimeType(from: sample.bytes, fileName: sample.name)
            #expect(type?.mime == sample.mime, "\(sample.name)")
        }
    }

    @Test("At least 120 types are detected by their bytes alone")
    func bytesAlone() {
        let known = MimeSamples.all.filter { MimeTypeDetector.detectMimeType(from: $0.bytes)?.mime == $0.mime }
        #expect(Set(known.map(\.mime)).count >= 120)
    }

    /// Types that `file` names differently, and the reasons for this library's names.
    private static let otherNames = [
        // `file` has an x- or outdated name, and IANA has a name or browsers agree on one.
        "audio/wav": "audio/x-wav", "audio/midi": "audio/mid", "image/x-icon": "image/vnd.microsoft.icon",
        "image/vnd.zbrush.pcx": "image/x-pcx", "video/mp2t": "video/MP2T", "audio/aac": "audio/x-hx-aac-adts",
        "audio/aiff": "audio/x-aiff", "audio/ac3": "audio/vnd.dolby.dd-raw", "font/ttf": "font/sfnt",
        "font/otf": "application/vnd.ms-opentype", "font/collection": "font/ttf", "audio/mp4": "audio/x-m4a",
        "application/vnd.rar": "application/x-rar", "application/java-vm": "application/x-java-applet",
        "application/vnd.ms-outlook-pst": "application/vnd.ms-outlook", "application/x-git-pack": "application/x-git",
        "application/x-tar": "application/x-ustar", "application/rtf": "text/rtf",
        "text/x-python": "text/x-script.python", "image/x-xpmi": "image/x-xpixmap",
        // `file` reports more than a type.
        "application/x-executable": "application/x-executable, no program header",
    ]

    /// Types for which `file` reports only the container format.
    private static let lessExact = [
        // `file` only detects XML.
        "application/xml": "text/xml", "application/xhtml+xml": "text/xml", "application/rss+xml": "text/xml",
        "application/atom+xml": "text/xml", "application/vnd.google-earth.kml+xml": "text/xml",
        "application/gpx+xml": "text/xml", "application/dash+xml": "text/xml", "application/x-plist": "text/xml",
        // `file` requires a manifest whose member has a mark that few tools write.
        "application/java-archive": "application/zip",
    ]

    /// Types that `file` cannot detect: it has no type for the format, needs more than the beginning of a file, or
    /// ignores the name that decides.
    private static let unknown: Set<String> = [
        "image/vnd.ms-dds", "image/vnd.radiance", "image/flif", "image/emf", "image/ktx", "image/ktx2",
        "application/x-shockwave-flash", "audio/mpeg", "audio/x-wavpack", "audio/x-caf",
        "application/vnd.ms-fontobject", "application/vnd.ms-cab-compressed", "application/x-arj", "application/x-dvi",
        "application/x-dex", "application/x-llvm", "application/x-pcapng", "application/vnd.apache.parquet",
        "application/vnd.apache.avro", "application/vnd.apache.arrow.file", "application/x-bplist",
        "application/x-vmdk", "image/x-canon-cr3", "application/vnd.apple.mpegurl", "application/x-pem-file",
        "application/mbox", "text/css", "text/javascript", "text/markdown", "application/yaml", "application/toml",
        "application/sql",
    ]

    @Test("file(1) agrees on each sample except the listed ones, and on at least 120 types")
    func witness() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mime-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String] = []
        for sample in MimeSamples.all {
            let file = folder.appendingPathComponent(sample.name)
            try sample.bytes.write(to: file)
            paths.append(file.path)
            #expect(MimeTypeDetector.detectMimeType(fromFile: file.path)?.mime == sample.mime, "\(sample.name)")
        }
        let outcome = try await ChildProcess.run("/usr/bin/file", arguments: ["--mime-type", "-b"] + paths)
        let answers = outcome.text.split(separator: "\n").map(String.init)
        try #require(answers.count == MimeSamples.all.count, "\(outcome.errors)")
        var agreed: Set<String> = []
        for (sample, answer) in zip(MimeSamples.all, answers) {
            let isSame = answer == sample.mime || answer == Self.otherNames[sample.mime]
            if isSame { agreed.insert(sample.mime) }
            let isKnown =
                isSame || answer == Self.lessExact[sample.mime]
                || Self.unknown.contains(sample.mime) && ["application/octet-stream", "text/plain"].contains(answer)
            #expect(isKnown, "\(sample.name): \(sample.mime) detected here, \(answer) by file(1)")
        }
        #expect(agreed.count >= 120, "\(agreed.count)")
    }

    @Test("Extensions and types map to each other")
    func extensions() {
        #expect(MimeTypeDetector.knownTypes.count >= 200)
        for type in MimeTypeDetector.knownTypes {
            #expect(MimeTypeDetector.extensions(for: type.mime).first == type.ext)
            let back = MimeTypeDetector.detectMimeType(fromExtension: type.ext)
            #expect(back == type, "\(type.ext)")
        }
    }

    @Test(
        "An extension is recognized in any case, with or without a dot",
        arguments: [("PNG", "image/png"), (".jpeg", "image/jpeg"), ("htm", "text/html"), ("JSON", "application/json")])
    func anyCase(ext: String, mime: String) {
        #expect(MimeTypeDetector.detectMimeType(fromExtension: ext)?.mime == mime)
    }

    @Test("An unknown extension has no type", arguments: ["", ".", "nothing-like-it", "a/b"])
    func unknownExtension(ext: String) { #expect(MimeTypeDetector.detectMimeType(fromExtension: ext) == nil) }

    @Test("Bytes override the name, except for kinds of text and of archives")
    func names() throws {
        let png = try #require(MimeSamples.all.first { $0.mime == "image/png" }).bytes
        #expect(MimeTypeDetector.detectMimeType(from: png, fileName: "a.txt")?.mime == "image/png")
        #expect(MimeTypeDetector.detectMimeType(from: Data("a,b\n".utf8), fileName: "A.CSV")?.mime == "text/csv")
        #expect(MimeTypeDetector.detectMimeType(from: Data("a,b\n".utf8), fileName: "a.png")?.mime == "text/plain")
        #expect(MimeTypeDetector.detectMimeType(from: Data([0, 1, 2, 254]), fileName: "a.png")?.mime == "image/png")
        #expect(MimeTypeDetector.detectMimeType(from: Data([0, 1, 2, 254])) == nil)
        #expect(MimeTypeDetector.detectMimeType(from: Data()) == nil)
    }

    @Test("Text cut inside a character, and JSON cut anywhere, are still detected")
    func cut() {
        let text = String(repeating: "سیمرغ ", count: 1000)
        for extra in 0..<4 {
            let bytes = Data((String(repeating: " ", count: extra) + text).utf8)
            #expect(MimeTypeDetector.detectMimeType(from: bytes)?.mime == "text/plain")
        }
        let names = Array(repeating: "\"سیمرغ\"", count: 1000).joined(separator: ", ")
        for extra in 0..<12 {
            let bytes = Data((String(repeating: " ", count: extra) + "{\"names\": [\(names)]}").utf8)
            #expect(MimeTypeDetector.detectMimeType(from: bytes)?.mime == "application/json")
        }
        #expect(MimeTypeDetector.detectMimeType(from: Data("{\"a\": ".utf8))?.mime == "text/plain")
    }

    @Test("Random damage of the samples does not crash the detector", arguments: 0..<64)
    func noise(seed: Int) {
        // Each sample is changed and truncated at positions derived from the seed.
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        func next(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(max(1, bound)))
        }
        for sample in MimeSamples.all {
            var bytes = sample.bytes.prefix(next(sample.bytes.count) + 1)
            for _ in 0..<4 { bytes[bytes.startIndex + next(bytes.count)] = UInt8(next(256)) }
            _ = MimeTypeDetector.detectMimeType(from: bytes, fileName: sample.name)
        }
        let deep = Data(String(repeating: "[", count: 5000).utf8)
        #expect(MimeTypeDetector.detectMimeType(from: deep)?.mime == "text/plain")
    }

    @Test(
        "A missing file, a folder or a path with a NUL has no type",
        arguments: ["/nowhere", "/tmp", "/etc/passwd\0"])
    func unreadable(path: String) { #expect(MimeTypeDetector.detectMimeType(fromFile: path) == nil) }
}
