// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghSupport
import SimorghTesting

/// The routes that the demonstration adds to those of httpbin.
enum DemoServer {
    static func addRoutes(to server: MockServer) {
        server.addHTTPBinRoutes()
        server.on(.get, path: "/users/{id}") { request in
            guard request.parameters["id"] == "7" else {
                let id = request.parameters["id"] ?? ""
                return .json(["code": "no_such_user", "hint": "user \(id) has flown away"], status: .notFound)
            }
            return .json(User(id: 7, name: "Zal"))
        }
        server.on(.post, path: "/users") { request in
            .json(User(id: 8, name: try request.json(NewUser.self).name), status: .created)
        }
        server.on(.get, path: "/list") { _ in
            .text("quest, love, knowledge").header(.cacheControl, value: "max-age=60")
        }
        server.on(.get, path: "/feed") { _ in
            let events = ["quest", "love"].map { Data("event: valley\ndata: \($0)\n\n".utf8) }
            return .chunks(events.map { .bytes($0) }, contentType: "text/event-stream")
        }
    }

    /// Adds an echo WebSocket and one that sends prices.
    static func addSockets(to server: MockServer) {
        server.on(
            .get, path: "/echo",
            response: .webSocket { socket in
                while let text = try await socket.receiveText() { try await socket.send(text) }
            })
        server.on(
            .get, path: "/prices",
            response: .webSocket { socket in
                _ = try await socket.receiveText()
                for price in 1...3 { try await socket.send("{\"price\": \(price)}") }
                // Until the client closes.
                while try await socket.receiveText() != nil {}
            })
    }

    /// Adds `/valleys`, a stream of three lines of JSON.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - gates: Two gates, which release the second and the third line; the first one is sent at once.
    static func addValleyStream(to server: MockServer, gates: [Gate]) {
        let names = ["quest", "love", "knowledge"]
        server.on(.get, path: "/valleys") { _ in
            var steps: [StubResponse.BodyStep] = []
            for (index, name) in names.enumerated() {
                if index > 0 { steps.append(.wait(gates[index - 1])) }
                steps.append(.bytes(Data("{\"valley\":\"\(name)\"}\n".utf8)))
            }
            return .chunks(steps, contentType: "application/x-ndjson")
        }
    }
}
#endif
