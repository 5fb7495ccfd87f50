// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghTesting

/// The local servers of the Playground, which stand in for the internet.
///
/// Nothing here uses the library's client; the tabs do, and reach these servers by URL like any other.
final class World: Sendable {
    let server: MockServer
    let sockets: SocketServer

    init(port: Int) async throws {
        var configuration = MockServer.Configuration()
        configuration.port = port
        // The recorded requests are not used, and the server may run for days.
        configuration.maximumRecordedRequests = 0
        configuration.threads = 2
        server = try await MockServer.start(configuration)
        server.addHTTPBinRoutes()
        sockets = try await SocketServer.start()
        addPosts()
        addFiles()
        addStreams()
    }

    /// The base URL of plain requests.
    var url: String { server.url }
    /// The base URL of WebSockets.
    var socketURL: String { "ws://127.0.0.1:\(sockets.port)" }

    func stop() async {
        await sockets.stop()
        await server.shutdown()
    }

    /// Returns a body in pieces, with a pause between them.
    ///
    /// - Parameters:
    ///   - pieces: The pieces.
    ///   - pause: The time between two of them.
    ///   - contentType: The media type.
    ///   - status: The status.
    /// - Returns: The answer.
    static func paced(
        _ pieces: [Data], every pause: Duration, contentType: String, status: Int = 200
    ) -> StubResponse {
        let gates = pieces.dropFirst().map { _ in Gate() }
        var steps: [StubResponse.BodyStep] = []
        for (index, piece) in pieces.enumerated() {
            if index > 0 { steps.append(.wait(gates[index - 1])) }
            steps.append(.bytes(piece))
        }
        // Ends by itself, even if the body is not read any more.
        Task {
            for gate in gates {
                try? await Task.sleep(for: pause)
                gate.open()
            }
        }
        return .chunks(steps, contentType: contentType, status: .init(code: status))
    }
}
