// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport
public import SimorghTesting
import Testing

/// The transport of a running test, provided by a trait of this module for the task of the test.
///
/// The tasks of a test inherit it, except detached ones. Each case of a parameterized test has a scope of its own, so
/// tests run in parallel without affecting each other.
public struct TestScope: Sendable {
    @TaskLocal private static var active: TestScope?

    /// The scope of the current task; `nil` outside a test, and in a test without a trait of this module.
    public static var current: TestScope? { active }

    /// The transport of the test, which also records the exchanges for the report of a failure.
    ///
    /// It is for HTTP only; use a ``ScopedTransport`` for WebSockets, which are not recorded.
    public let transport: any Transport
    /// The base URL of `APIClient.scoped(configure:)`.
    public let baseURL: String
    /// The stubs of a test with the trait `.stubbed`; `nil` for other traits.
    public let stubs: StubServer?
    /// The cassette of a test with the trait `.cassette`; `nil` for other traits.
    public let cassette: Cassette?

    /// The trait and the test of a scope.
    struct Owner: Sendable, Hashable {
        let trait: UUID
        let test: Test.ID
    }

    /// The transport without the recorder.
    let base: any Transport
    let owner: Owner

    init(_ setup: TransportTrait.Setup, recorder: HARRecorder, owner: Owner) {
        self.owner = owner
        base = setup.transport
        transport = RecordedTransport(base: setup.transport, recorder: recorder)
        baseURL = setup.baseURL
        stubs = setup.stubs
        cassette = setup.cassette
    }

    /// Runs a function in this scope.
    func run(_ body: () async throws -> Void) async throws {
        try await Self.$active.withValue(self) { try await body() }
    }
}

/// Records each exchange of a transport.
private struct RecordedTransport: Transport {
    let base: any Transport
    let recorder: HARRecorder

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        do {
            return try await recorder.interceptor.handle(request) { [base] request in try await base.send(request) }
        } catch {
            throw error as? TransportError
                ?? TransportError(.unknown, phase: .total, message: "\(error)", underlying: error)
        }
    }
}

extension RecordedTransport: TransportWrapper {
    var wrapped: (any Transport)? { base }
}
