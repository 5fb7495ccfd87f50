// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghGraphQL
import SimorghSupport

/// Sends a GraphQL operation, and prints the responses.
struct GraphQLPrinter: Sendable {
    let operation: GraphQLOperation
    /// The values of the variables.
    let variables: GraphQLVariablesText?
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
            // Many servers describe an invalid operation in a body that is not a GraphQL response by its status.
            if error.graphQLErrors != nil, let body = error.responseData { try await write(body) }
            guard case .responseError(let failure) = error, failure.underlying is GraphQLProtocolError else {
                throw CommandError(error)
            }
            throw CommandError(.brokenResponse, message: error.description)
        } catch let error as SubscriptionError {
            throw CommandError(error)
        }
    }

    private func printResponse(_ server: GraphQLClient) async throws {
        let call = server.call(operation, variables: variables, uploads: uploads, as: JSON.self)
        let answer = try await call.response()
        try await write(answer.response.body)
        try Self.check(answer.value.errors)
    }

    private func write(_ body: Data) async throws {
        var printer = BodyPrinter(console, contentType: "application/json", forcesRawOutput: false)
        try await printer.write(body)
        try await printer.finish()
    }

    private func printParts(_ server: GraphQLClient) async throws {
        guard uploads.isEmpty else { throw CommandError.usage("--upload excludes @defer and @stream") }
        var errors: [GraphQLErrors.Fault] = []
        for try await result in server.incremental(operation, variables: variables, as: JSON.self) {
            var members: [String: JSON] = ["data": result.data, "hasNext": .bool(result.hasNext)]
            if !result.errors.isEmpty { members["errors"] = .array(result.errors.map(\.json)) }
            try await say(.object(members))
            errors = result.errors
        }
        try Self.check(errors)
    }

    private func printEvents(_ server: GraphQLClient) async throws {
        guard uploads.isEmpty else { throw CommandError.usage("--upload excludes subscriptions") }
        var printed = 0
        var errors: [GraphQLErrors.Fault] = []
        for try await response in server.responses(operation, variables: variables, as: JSON.self) {
            var members: [String: JSON] = ["data": response.data ?? .null]
            if !response.errors.isEmpty { members["errors"] = .array(response.errors.map(\.json)) }
            if !response.extensions.isNull { members["extensions"] = response.extensions }
            try await say(.object(members))
            // Only the last ones, because a subscription may have any number of responses.
            if !response.errors.isEmpty { errors = response.errors }
            printed += 1
            if printed == count { break }
        }
        await server.disconnect()
        try Self.check(errors)
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

extension GraphQLErrors.Fault {
    /// The error as the server sent it.
    fileprivate var json: JSON {
        var members: [String: JSON] = ["message": .string(message)]
        if !locations.isEmpty {
            members["locations"] = .array(
                locations.map { location -> JSON in
                    ["line": .number(.init(Int64(location.line))), "column": .number(.init(Int64(location.column)))]
                })
        }
        if !path.isEmpty { members["path"] = .array(path) }
        if !extensions.isNull { members["extensions"] = extensions }
        return .object(members)
    }
}
#endif
