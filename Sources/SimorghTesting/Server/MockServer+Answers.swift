// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

extension MockServer {
    /// Enqueues responses for requests without a rule, regardless of the request.
    ///
    /// - Parameter answers: The responses, each sent once.
    public func enqueue(_ answers: StubResponse...) { state.enqueue(answers) }

    /// Makes the next connections fail, one fault for each.
    ///
    /// - Parameter faults: The faults, in the order of the connections.
    public func failConnections(_ faults: ConnectionFault...) { state.enqueueFaults(faults) }

    /// Adds a handler for a method and path.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query. `{name}` matches one segment, a final `*` matches the rest.
    ///   - handler: Returns each response. It is called from many tasks concurrently; an error that it throws becomes a
    ///     500.
    public func on(
        _ method: HTTPRequest.Method?, path: String, handler: @escaping StubServer.Handler
    ) {
        state.registry.add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Adds a response for a method and path.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query. `{name}` matches one segment, a final `*` matches the rest.
    ///   - response: The response to each request.
    public func on(_ method: HTTPRequest.Method?, path: String, response: StubResponse) {
        state.registry.add(ScriptedRule(method: method, path: path, answers: .always(response)))
    }

    /// Adds a handler for a path and all methods.
    ///
    /// - Parameters:
    ///   - path: The path without a query. `{name}` matches one segment, a final `*` matches the rest.
    ///   - handler: Returns each response. It is called from many tasks concurrently; an error that it throws becomes a
    ///     500.
    public func on(_ path: String, handler: @escaping StubServer.Handler) { on(nil, path: path, handler: handler) }

    /// Adds a response for a path and all methods.
    ///
    /// - Parameters:
    ///   - path: The path without a query. `{name}` matches one segment, a final `*` matches the rest.
    ///   - response: The response to each request.
    public func on(_ path: String, response: StubResponse) { on(nil, path: path, response: response) }

    /// Adds a sequence of responses for a method and path.
    ///
    /// After the last one the rule matches no more requests.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` matches all methods.
    ///   - path: The path without a query. `{name}` matches one segment, a final `*` matches the rest.
    ///   - answers: The responses, each sent once.
    public func on(_ method: HTTPRequest.Method?, path: String, inOrder answers: [StubResponse]) {
        state.registry.add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
    }

    /// Adds a handler for requests that match a condition.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - handler: Returns each response. It is called from many tasks concurrently; an error that it throws becomes a
    ///     500.
    public func on(_ condition: StubCondition, handler: @escaping StubServer.Handler) {
        state.registry.add(ScriptedRule(condition, answers: .handler(handler)))
    }

    /// Adds a response for requests that match a condition.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - response: The response to each request.
    public func on(_ condition: StubCondition, response: StubResponse) {
        state.registry.add(ScriptedRule(condition, answers: .always(response)))
    }
}
