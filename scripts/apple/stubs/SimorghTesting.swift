// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

// A stub of the project's own test kit with the declarations that Tests/Conformance uses: the real one needs all of NIO.
// Not part of Apple's SDK: a module of this project, so its declarations need no addresses of Apple's documentation.
public import HTTPTypes
public import SimorghCore
public import SimorghRealtime

public final class MockSocket: Sendable {
    public func receive() async throws -> WebSocketMessage? { fatalError("a stub") }
    public func send(_ message: WebSocketMessage) async throws {}
    public func close(code: WebSocketCloseCode = .normal, reason: String = "") async {}
}

public struct StubResponse: Sendable {
    public static func status(_ status: HTTPResponse.Status) -> StubResponse { StubResponse() }
    public static func webSocket(
        subprotocol: @escaping @Sendable (_ offered: [String]) -> String? = { $0.first },
        _ play: @escaping @Sendable (_ socket: MockSocket) async throws -> Void
    ) -> StubResponse { StubResponse() }
}

public final class MockServer: Sendable {
    public struct Configuration: Sendable {
        public init() {}
    }

    public var clientConfiguration: APIClient.Configuration { fatalError("a stub") }
    public func on(_ method: HTTPRequest.Method, path: String, response: StubResponse) {}
    public static func with<Value>(
        _ configuration: Configuration = Configuration(), body: (MockServer) async throws -> Value
    ) async throws -> Value { fatalError("a stub") }
}
