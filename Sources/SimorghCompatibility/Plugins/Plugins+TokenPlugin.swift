// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Sends a token in a header field or a query item, where ``/SimorghCore/Authentication`` would send its own.
    public struct TokenPlugin: Plugin {
        /// What becomes of a value of that name that the request has already.
        public enum Operation: Sendable, Hashable {
            /// It is replaced.
            case set(String)
            /// It is kept, and the token is not sent.
            case trySet(String)
            /// It is kept, and the token is sent as well.
            case add(String)

            fileprivate var name: String {
                switch self {
                case .set(let name), .trySet(let name), .add(let name): name
                }
            }
        }

        /// Where the token goes.
        public enum TokenType: Sendable, Hashable {
            /// Into a header field of that name.
            case header(Operation)
            /// Into a query item of that name.
            case queryParam(Operation)
        }

        /// Tells it from other plugins.
        public let id: String
        /// Where it stands among the others.
        public let priority: PluginPriority
        private let type: TokenType
        private let everywhere: Bool
        private let token: @Sendable () async throws -> String?

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - id: Tells it from other plugins; two tokens need two.
        ///   - priority: Where it stands among the others.
        ///   - type: Where the token goes.
        ///   - everywhere: Whether it is sent wherever a request goes, not only to the origin of the client's base URL;
        ///     off by default.
        ///   - tokenProvider: Gives the token at each call; `nil` leaves the request as it is.
        public init(
            id: String = "Plugins.TokenPlugin",
            priority: PluginPriority = .authBearer + 1,
            type: TokenType,
            everywhere: Bool = false,
            tokenProvider: @escaping @Sendable () async throws -> String?
        ) {
            self.id = id
            self.priority = priority
            self.type = type
            self.everywhere = everywhere
            token = tokenProvider
        }

        /// Puts the token where it belongs.
        ///
        /// - Parameter request: The request.
        /// - Throws: ``/SimorghCore/InvalidRequest`` when the token cannot be sent, or what its source throws.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                let token = try await token()
            else { return }
            switch type {
            case .header(let operation):
                let name = try put(token, operation, into: &request.head.headerFields)
                request.markCredential(name)
            case .queryParam(let operation):
                put(token, operation, into: &request.head)
                request.markSecretQueryItem(operation.name)
            }
        }

        private func put(
            _ token: String, _ operation: Operation, into fields: inout HTTPFields
        ) throws -> HTTPField.Name {
            let field = try HeaderRules.field(name: operation.name, value: token)
            switch operation {
            case .set: fields[field.name] = token
            case .trySet where fields.has(field.name): break
            case .trySet, .add: fields.append(field)
            }
            return field.name
        }

        private func put(_ token: String, _ operation: Operation, into head: inout HTTPRequest) {
            var target = QueryTarget(head.path ?? "/")
            switch operation {
            case .set(let name):
                target.remove(name)
                target.append(name, token)
            case .trySet(let name) where target.has(name): break
            case .trySet(let name), .add(let name): target.append(name, token)
            }
            head.path = target.text
        }
    }
}
