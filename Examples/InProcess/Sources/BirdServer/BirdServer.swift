// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import Hummingbird

/// A bird in the server's list.
public struct Bird: ResponseCodable, Equatable, Sendable {
    /// The number of the bird.
    public var id: Int
    /// The name of the bird.
    public var name: String

    /// Creates a bird.
    ///
    /// - Parameters:
    ///   - id: The number.
    ///   - name: The name.
    public init(id: Int, name: String) {
        self.id = id
        self.name = name
    }
}

/// A small server: a list of birds, and routes that stream.
public enum BirdServer {
    /// Returns the routes.
    public static func router() -> Router<BasicRequestContext> {
        let router = Router()
        router.get("birds/{id}") { _, context in
            let id = try context.parameters.require("id", as: Int.self)
            guard id < 100 else { throw HTTPError(.notFound, message: "there is no bird \(id)") }
            return Bird(id: id, name: "bird \(id)")
        }
        router.post("birds") { request, context in
            let bird = try await request.decode(as: Bird.self, context: context)
            return EditedResponse(status: .created, headers: [.location: "/birds/\(bird.id)"], response: bird)
        }
        router.post("echo") { request, _ in
            Response(status: .ok, body: ResponseBody(asyncSequence: request.body))
        }
        router.post("count") { request, _ in
            var count = 0
            for try await buffer in request.body { count += buffer.readableBytes }
            return "\(count)"
        }
        router.get("ticks/{count}") { _, context in
            let count = try context.parameters.require("count", as: Int.self)
            return Response(
                status: .ok, headers: [.trailer: "ETag"],
                body: ResponseBody { writer in
                    for number in 0..<count { try await writer.write(ByteBuffer(string: "\(number)\n")) }
                    try await writer.finish([.eTag: "\"\(count)\""])
                })
        }
        router.get("broken") { _, _ -> String in throw BrokenError() }
        return router
    }

    /// An error that the server does not handle.
    struct BrokenError: Error {}
}
