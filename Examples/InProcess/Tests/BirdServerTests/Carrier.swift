// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import BirdServer
import Hummingbird
import HummingbirdInProcess
import NIOCore
import Simorgh
import SimorghNIO
import SimorghTesting

/// The two ways to the server: each test runs over both.
enum Carrier: CaseIterable, Sendable {
    case inProcess
    case socket

    /// Starts the server, and passes a client of it to a function.
    func withClient(_ body: @Sendable (APIClient) async throws -> Void) async throws {
        switch self {
        case .inProcess:
            let transport = try await InProcessTransport(Application(router: BirdServer.router()))
            try await body(.scripted(transport, baseURL: "http://birds.example"))
        case .socket:
            try await Self.withSocket(body)
        }
    }

    private static func withSocket(_ body: @Sendable (APIClient) async throws -> Void) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = Application(
            router: BirdServer.router(), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            for await port in ports {
                let client = APIClient.scripted(NIOTransport(), baseURL: "http://127.0.0.1:\(port)")
                return try await body(client)
            }
        }
    }
}
