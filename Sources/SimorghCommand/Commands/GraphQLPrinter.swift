// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghGraphQL
import SimorghSupport

/// Sends a GraphQL operation, and prints the responses.
struct GraphQLPrinter: Sendable {
    let operation: GraphQLOperation
    let uploads: [GraphQLUpload]
    let count: Int?
    let console: Console

    /// Sends the operation; throws after printing a response with errors.
    ///
    /// - Parameter server: The client of the server.
    /// - Throws: ``CommandError``.
    func run(_ server: GraphQLClient) async throws {
        do {
            if GraphQLDocument(operation.query).kind(named: operation.operationName) == .subscription {
                try await printEvents(server)
            } else if operation.query.contains("@defer") || operation.query.contains("@stream") {
                try await printParts(server)
            } else {
                try await printResponse(server)
            }
        } catch let error as NetworkError {
            guard case .responseError(let failure) = error, failure.underlying is GraphQLProtocolError else {
                throw CommandError(error)
            }
            throw CommandError(.brokenResponse, message: error.description)
        } catch let error as SubscriptionError {
            throw CommandError(error)
        }
    }

    private func printResponse(_ server: GraphQLClient) async throws {
        let answer = try await server.call(operation, uploads: uploads, as: JSON.self).response()
        var printer = BodyPrinter(console, contentType: "application/json", forcesRawOutput: false)
        try await printer.write(answer.response.body)
        try await printer.finish()
        try Self.check(answer.value.errors)
    }

    private func printParts(_ server: GraphQLClient) async throws {
        guard uploads.isEmpty else { throw CommandError.usage("--upload excludes @defer and @stream") }
        var errors: [GraphQLErrors.Fault] = []
        for try await result in server.incremental(operation, as: JSON.self) {
            try await say(["data": result.data, "hasNext": .bool(result.hasNext)])
            errors = result.errors
        }
        try Self.check(errors)
    }

    private func printEvents(_ server: GraphQLClient) async throws {
        guard uploads.isEmpty else { throw CommandError.usage("--upload excludes subscriptions") }
        var printed = 0
        for try await response in server.responses(operation, as: JSON.self) {
            var members: [String: JSON] = ["data": response.data ?? .null]
            if !response.errors.isEmpty {
                members["errors"] = .array(response.errors.map { ["message": .string($0.message)] })
            }
            try await say(.object(members))
            printed += 1
            if printed == count { break }
        }
        await server.disconnect()
    }

    private func say(_ json: JSON) async throws {
        let line = json.description
        try await ConsoleQueue(console).say(console.isOutputTerminal ? DisplayText.json(line) : line)
    }

    private static func check(_ errors: [GraphQLErrors.Fault]) throws(CommandError) {
        guard let first = errors.first else { return }
        let more = errors.count > 1 ? ", and \(errors.count - 1) more" : ""
        throw CommandError(.failure, message: "the response has errors: \(DisplayText.oneLine(first.message))\(more)")
    }
}
#endif
