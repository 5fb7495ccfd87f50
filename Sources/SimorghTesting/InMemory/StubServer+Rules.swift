// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

extension StubServer {
    /// Creates a server that responds to every request.
    ///
    /// - Parameter handler: Returns each response. It is called from many tasks concurrently.
    public convenience init(_ handler: @escaping Handler) {
        self.init(precedence: .first)
        on(where: { _ in true }, named: "any request", handler: handler)
    }

    /// Creates a server that sends each response once, regardless of the request.
    ///
    /// - Parameter answers: The responses in order. After the last one, requests fail as unmatched.
    public convenience init(inOrder answers: [StubResponse]) {
        self.init(precedence: .first)
        registry.add(ScriptedRule(.any, answers: .queue(answers[...])))
    }

    /// Adds a handler for a method and path.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - handler: Returns each response. It is called from many tasks concurrently.
    public func on(_ method: HTTPRequest.Method?, path: String, handler: @escaping Handler) {
        registry.add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Adds a response for a method and path.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - response: The response to each request.
    public func on(_ method: HTTPRequest.Method?, path: String, response: StubResponse) {
        registry.add(ScriptedRule(method: method, path: path, answers: .always(response)))
    }

    /// Adds a sequence of responses for a method and path.
    ///
    /// After the last one the rule matches no more requests.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - answers: The responses, each sent once.
    public func on(_ method: HTTPRequest.Method?, path: String, inOrder answers: [StubResponse]) {
        registry.add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
    }

    /// Adds a handler for a path and all methods.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - handler: Returns each response. It is called from many tasks concurrently.
    public func on(_ path: String, handler: @escaping Handler) { on(nil, path: path, handler: handler) }

    /// Adds a response for a path and all methods.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - response: The response to each request.
    public func on(_ path: String, response: StubResponse) { on(nil, path: path, response: response) }

    /// Adds a sequence of responses for a path and all methods.
    ///
    /// After the last one the rule matches no more requests.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` matches one segment, a final `*` matches the rest.
    ///   - answers: The responses, each sent once.
    public func on(_ path: String, inOrder answers: [StubResponse]) { on(nil, path: path, inOrder: answers) }

    /// Adds a handler for the requests that a function selects.
    ///
    /// - Parameters:
    ///   - condition: Returns true for a request that the rule applies to.
    ///   - name: The name of the rule in errors.
    ///   - handler: Returns each response. It is called from many tasks concurrently.
    public func on(
        where condition: @escaping @Sendable (_ request: RecordedRequest) -> Bool,
        named name: String = "a condition",
        handler: @escaping Handler
    ) {
        registry.add(ScriptedRule(.custom(named: name, condition), answers: .handler(handler)))
    }
}
