// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
public import SimorghCore

extension Plugins {
    /// Sends a token in a header field or query item, if ``/SimorghCore/Authentication`` is allowed for the request.
    public struct TokenPlugin: Plugin {
        /// The name of the header field or query item, and the treatment of a value of this name in the request.
        public enum Operation: Sendable, Hashable {
            /// Replaces the request's value of this name.
            case set(String)
            /// Keeps the request's value of this name, and then does not send the token.
            case trySet(String)
            /// Keeps the request's value of this name, and sends the token as well.
            case add(String)

            fileprivate var name: String {
                switch self {
                case .set(let name), .trySet(let name), .add(let name): name
                }
            }
        }

        /// The location of the token in the request.
        public enum TokenType: Sendable, Hashable {
            /// A header field, named by the operation.
            case header(Operation)
            /// A query item, named by the operation.
            case queryParam(Operation)
        }

        /// The plugin's identifier.
        public let id: String
        /// The plugin's position in the order of plugins.
        public let priority: PluginPriority
        private let type: TokenType
        private let everywhere: Bool
        private let token: @Sendable () async throws -> String?

        /// Creates the plugin.
        ///
        /// - Parameters:
        ///   - id: The plugin's identifier; two tokens need different ids.
        ///   - priority: The plugin's position in the order of plugins.
        ///   - type: The location of the token in the request.
        ///   - everywhere: True to send the token to every origin, not only to that of the client's base URL. Default:
        ///     false.
        ///   - tokenProvider: Returns the token for each call; `nil` leaves the request unchanged.
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

        /// Adds the token to the request.
        ///
        /// - Parameter request: The request.
        /// - Throws: ``/SimorghCore/InvalidRequestError`` if the token is not a valid field value, or an error of the token
        ///   provider.
        public func prepare(_ request: inout TransportRequest) async throws {
            guard request.options.allowsAuthentication, everywhere || request.isForBase,
                let token = try await token()
            else { return }
            switch type {
            case .header(let operation):
                let name = try put(token, operation: operation, into: &request.head.headerFields)
                request.markCredential(name)
            case .queryParam(let operation):
                put(token, operation: operation, into: &request.head)
                request.markSecretQueryItem(operation.name)
            }
        }

        private func put(
            _ token: String, operation: Operation, into fields: inout HTTPFields
        ) throws -> HTTPField.Name {
            let field = try HeaderRules.field(name: operation.name, value: token)
            switch operation {
            case .set: fields[field.name] = token
            case .trySet where fields.contains(field.name): break
            case .trySet, .add: fields.append(field)
            }
            return field.name
        }

        private func put(_ token: String, operation: Operation, into head: inout HTTPRequest) {
            var target = QueryTarget(head.path ?? "/")
            switch operation {
            case .set(let name):
                target.remove(name)
                target.append(name: name, value: token)
            case .trySet(let name) where target.has(name): break
            case .trySet(let name), .add(let name): target.append(name: name, value: token)
            }
            head.path = target.text
        }
    }
}
