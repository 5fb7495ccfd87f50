// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

extension MockServer {
    /// Gives requests that no rule is for one answer after another, whatever they ask.
    ///
    /// - Parameter answers: The answers, each given once.
    public func enqueue(_ answers: StubResponse...) { hub.enqueue(answers) }

    /// Breaks the next connections off, one fault for each.
    ///
    /// - Parameter faults: The faults, in the order in which connections come.
    public func failConnections(_ faults: ConnectionFault...) { hub.fail(faults) }

    /// Answers requests of one method and path, each time anew.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once; what it throws becomes a 500.
    public func on(
        _ method: HTTPRequest.Method?, _ path: String, _ handler: @escaping StubServer.Handler
    ) {
        hub.book.add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Gives requests of one method and path always the same answer.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        hub.book.add(ScriptedRule(method: method, path: path, answers: .always(answer)))
    }

    /// Answers requests of one path, whatever their method, each time anew.
    ///
    /// - Parameters:
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Returns each answer. It is called from many tasks at once; an error that it throws becomes a 500.
    public func on(_ path: String, _ handler: @escaping StubServer.Handler) { on(nil, path, handler) }

    /// Gives requests of one path always the same answer, whatever their method.
    ///
    /// - Parameters:
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ path: String, _ answer: StubResponse) { on(nil, path, answer) }

    /// Gives requests of one method and path one answer after another; then the rule is used up.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, inOrder answers: [StubResponse]) {
        hub.book.add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
    }

    /// Answers requests that a condition picks, each time anew.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - handler: Works out each answer. It is called from many tasks at once; what it throws becomes a 500.
    public func on(_ condition: StubCondition, _ handler: @escaping StubServer.Handler) {
        hub.book.add(ScriptedRule(condition, answers: .handler(handler)))
    }

    /// Gives requests that a condition picks always the same answer.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - answer: The answer.
    public func on(_ condition: StubCondition, _ answer: StubResponse) {
        hub.book.add(ScriptedRule(condition, answers: .always(answer)))
    }
}
