// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
public import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
public import SimorghTesting

extension InProcessTransport {
    /// Creates a transport into a Hummingbird application, without a socket.
    ///
    /// As over a socket, an error that the application does not handle is a response with the status 500. The
    /// application's services and the functions that run before its server starts are not run.
    ///
    /// - Parameter application: The application.
    /// - Throws: The error of building the application's responder.
    public convenience init<App: ApplicationProtocol>(_ application: App) async throws
    where App.Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let responder = try await application.responder
        let logger = application.logger
        // Contexts take their event loop from it; nothing is sent over it.
        let channel = NIOAsyncTestingChannel()
        self.init { request in
            var requestLogger = logger
            // A context reads its id from here.
            requestLogger[metadataKey: "hb.request.id"] = .string(UUID().uuidString)
            let context = App.Responder.Context(
                source: ApplicationRequestContextSource(channel: channel, logger: requestLogger))
            let response: Response
            do {
                response = try await responder.respond(
                    to: Request(head: request.head, body: .init(asyncSequence: Buffers(base: request.body))),
                    context: context)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                requestLogger.debug("unhandled error", metadata: ["error": "\(error)"])
                response = Response(status: .internalServerError)
            }
            return InProcessResponse(head: response.head) { writer in
                try await response.body.write(InProcessResponseWriter(writer))
            }
        }
    }
}

/// The chunks of a request's body as buffers.
private struct Buffers: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: InProcessRequest.Body

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        var base: InProcessRequest.Body.AsyncIterator

        mutating func next() async throws -> ByteBuffer? {
            try await base.next(isolation: nil).map { ByteBuffer(bytes: $0) }
        }
    }
}
