// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird

extension Router<BasicRequestContext> {
    func addRealtime(_ backend: PlaygroundBackend) {
        get("api/socket") { request, _ in
            let base = backend.socketBase(request.asked("base"))
            return Response.events(for: request) { try await backend.realtime.connect(to: base) }
        }
        post("api/socket/{action}") { request, context in
            let text = String(buffer: try await request.body.collect(upTo: 1024 * 1024))
            do {
                switch try context.parameters.require("action") {
                case "send": try await backend.realtime.send(text)
                case "bytes": try await backend.realtime.send(Data(text.utf8))
                case "ping":
                    let milliseconds = try await backend.realtime.ping()
                    return try Response.json(["milliseconds": milliseconds])
                case "close": await backend.realtime.close()
                // Simulates a lost connection: the local server closes all its connections.
                case "drop": backend.world.sockets.drop()
                default: throw HTTPError(.notFound)
                }
                return try Response.json(["message": "done"])
            } catch let error as HTTPError {
                throw error
            } catch {
                return try Response.failure(error)
            }
        }
    }
}
