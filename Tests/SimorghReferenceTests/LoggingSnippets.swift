// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghTesting
import Testing

@Suite("Reference: the log", .timeLimit(.minutes(5)))
struct LoggingSnippets {
    @Test("A client has the log level it was created with", arguments: [LogLevel.none, .minimal, .standard, .verbose])
    func level(_ level: LogLevel) {
        #expect(APIClient(logLevel: level).configuration.logLevel == level)
    }

    @Test("Log level and retry handler depend on the build configuration")
    func environment() {
        #if DEBUG
        let logLevel: LogLevel = .verbose
        let retryHandler = DefaultRetryHandler(numberOfRetries: 3)
        #else
        let logLevel: LogLevel = .none
        let retryHandler = DefaultRetryHandler(numberOfRetries: 1)
        #endif
        let client = APIClient(logLevel: logLevel, retryHandler: retryHandler)
        #expect(client.configuration.logLevel == logLevel)
        #expect(client.configuration.retryHandler?.numberOfRetries == retryHandler.numberOfRetries)
    }

    /// Returns the log of one call.
    private static func log(at level: LogLevel) async throws -> String {
        let shown = Shown()
        let logger = URLSessionLogger([.custom { text in shown(text) }])
        let (client, _) = Reference.client {
            $0.logLevel = level
            $0.logging.logger = logger
        } answer: { _ in
            .json(User(id: 7, name: "Rudabeh"))
        }
        _ = try await client.call(.get, "https://api.example.com/users/7", headers: ["X-Bird": "hoopoe"]).data()
        await logger.flush()
        return shown.all.joined(separator: "\n")
    }

    @Test("Each log level logs the documented contents and those of the level below")
    func levels() async throws {
        #expect(try await Self.log(at: .none).isEmpty)
        let minimal = try await Self.log(at: .minimal)
        #expect(minimal.contains("GET"))
        #expect(minimal.contains("https://api.example.com/users/7"))
        #expect(!minimal.contains("hoopoe"))
        let standard = try await Self.log(at: .standard)
        #expect(standard.contains("GET"))
        #expect(standard.contains("200"))
        #expect(standard.contains("hoopoe"))
        #expect(!standard.contains("Rudabeh"))
        let verbose = try await Self.log(at: .verbose)
        #expect(verbose.contains("hoopoe"))
        #expect(verbose.contains("Rudabeh"))
    }

    @Test("A media type is detected from bytes")
    func types() {
        #expect(MimeTypeDetector.detectMimeType(from: Data([0xFF, 0xD8, 0xFF]))?.mime == "image/jpeg")
        #expect(MimeTypeDetector.detectMimeType(from: Data("%PDF-1.4\n".utf8))?.mime == "application/pdf")
    }
}
