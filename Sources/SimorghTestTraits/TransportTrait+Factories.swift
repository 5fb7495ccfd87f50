// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
public import SimorghSupport
public import SimorghTesting
import Synchronization
public import Testing

extension Trait where Self == TransportTrait {
    /// Provides stubs for each test.
    ///
    /// ```swift
    /// import Testing
    ///
    /// @Suite
    /// struct BirdTests {
    ///     @Test(.stubbed { $0.fakeGET("birds/{id}", response: #"{"id": {id}}"#) })
    ///     func bird() async throws {
    ///         let json = try await APIClient.scoped().call(.get, "birds/7").json()
    ///         #expect(json.id.int == 7)
    ///     }
    /// }
    /// ```
    /// A request without a stub fails, and so does a test that does not request all responses of a sequence. The stubs
    /// of the test are ``TestScope/stubs``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the stubs and of the client; `nil`, the default, matches any host.
    ///   - time: The clock for delays; the system clock by default.
    ///   - redaction: The rules for the exchanges that are attached to a failed test.
    ///   - prepare: Adds the stubs. Called for each test, and for each case of a parameterized test.
    /// - Returns: The trait.
    public static func stubbed(
        baseURL: String? = nil, time: TimeSource = .system, redaction: RedactionRules = .standard,
        _ prepare: @escaping @Sendable (_ stubs: StubServer) throws -> Void
    ) -> Self {
        TransportTrait { _ in
            let stubs = StubServer(baseURL: baseURL, time: time)
            try prepare(stubs)
            return TransportTrait.Setup(
                transport: stubs, baseURL: baseURL ?? TransportTrait.defaultBaseURL, stubs: stubs, redaction: redaction,
                finish: { try stubs.verify() })
        }
    }

    /// Provides the recorded responses of a real server for each test.
    ///
    /// With `@Test(.cassette("birds"))`, the file is `birds.har` in the folder `Cassettes` beside the file of the test.
    /// A request that is not in it fails, and so does a test that does not make all of its requests; on a suite, each
    /// test has to make all of them. Each case of a parameterized test replays the whole file; such a test cannot
    /// record, because its cases would replace each other's files. For the same reason only one test of a run can record
    /// a file; another one fails before it sends a request.
    ///
    /// - Parameters:
    ///   - name: The name of the file without `.har`, or its absolute path.
    ///   - baseURL: The base URL of the client; `https://api.test` by default.
    ///   - mode: The mode; by default that of the environment variable `SIMORGH_CASSETTES` (`replay`, `record` or
    ///     `check`), or replay if it is not set.
    ///   - transport: The transport to the real server, such as `NIOTransport.shared`; needed to record and to check.
    ///   - rules: The rules of matching requests with recorded ones.
    ///   - redaction: The rules for the exchanges that are attached to a failed test; the secret names of `rules` are
    ///     added.
    ///   - filePath: The file of the test; by default the one that calls this function.
    /// - Returns: The trait.
    public static func cassette(
        _ name: String, baseURL: String? = nil, mode: Cassette.Mode = .ofEnvironment,
        over transport: (any Transport)? = nil, rules: Cassette.Rules = Cassette.Rules(),
        redaction: RedactionRules = .standard, filePath: String = #filePath
    ) -> Self {
        var hidden = redaction
        hidden.names.formUnion(rules.secretNames)
        hidden.headerFields.formUnion(rules.secretNames)
        let attached = hidden
        return TransportTrait { test in
            let path = CassettePath(name, filePath: filePath)
            if mode == .record {
                guard !test.isParameterized else {
                    throw CassetteTraitError(
                        """
                        \(path.file) cannot be recorded: the cases of a parameterized test would replace each other's \
                        files
                        """)
                }
                try path.claim(for: test)
                try path.createFolder()
            }
            let cassette = try Cassette(path.file, mode: mode, over: transport, rules: rules)
            return TransportTrait.Setup(
                transport: cassette, baseURL: baseURL ?? TransportTrait.defaultBaseURL, cassette: cassette,
                redaction: attached, finish: { try cassette.finish() })
        }
    }

    /// Provides a transport of your own for each test, such as an ``/SimorghTesting/InProcessTransport``.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL of the client; `https://api.test` by default.
    ///   - redaction: The rules for the exchanges that are attached to a failed test.
    ///   - make: Creates the transport. Called for each test, and for each case of a parameterized test.
    /// - Returns: The trait.
    public static func transport(
        baseURL: String? = nil, redaction: RedactionRules = .standard,
        _ make: @escaping @Sendable () async throws -> any Transport
    ) -> Self {
        TransportTrait { _ in
            TransportTrait.Setup(
                transport: try await make(), baseURL: baseURL ?? TransportTrait.defaultBaseURL, redaction: redaction)
        }
    }
}

/// An error for a cassette that a test cannot use.
public struct CassetteTraitError: Error, Sendable, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }
}

// With this conformance `localizedDescription` returns the description.
extension CassetteTraitError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
}

/// The location of a test's cassette.
struct CassettePath: Sendable {
    /// The tests that record a file in this process, by its path.
    private static let recorded = Mutex<[String: Test.ID]>([:])

    /// The path of the file.
    let file: String

    /// Creates the location from the name of a cassette and the path of its test's source file.
    init(_ name: String, filePath: String) {
        let named = name.hasSuffix(".har") ? name : "\(name).har"
        file = named.hasPrefix("/") ? named : "\(Self.folder(of: filePath))/Cassettes/\(named)"
    }

    func createFolder() throws {
        try FileManager.default.createDirectory(atPath: Self.folder(of: file), withIntermediateDirectories: true)
    }

    /// Notes that a test records the file.
    ///
    /// - Throws: ``CassetteTraitError`` if another test records it, whose exchanges would be lost.
    func claim(for test: Test) throws {
        let owner = Self.recorded.withLock { recorded in
            let owner = recorded[file] ?? test.id
            recorded[file] = owner
            return owner
        }
        guard owner == test.id else {
            throw CassetteTraitError(
                """
                \(file) cannot be recorded by \(test.name), because another test records it: use one file for \
                each
                """)
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    }
}
