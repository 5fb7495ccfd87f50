// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import HTTPTypes

extension StubServer {
    /// Creates a server that answers every request.
    ///
    /// - Parameter handler: Returns each answer. It is called from many tasks at once.
    public convenience init(_ handler: @escaping Handler) {
        self.init(precedence: .first)
        on(where: { _ in true }, named: "any request", handler)
    }

    /// Creates a server that gives each answer once, whatever the request.
    ///
    /// - Parameter answers: The answers, in their order; after the last, requests fail as unmatched.
    public convenience init(inOrder answers: [StubResponse]) {
        self.init(precedence: .first)
        book.add(ScriptedRule(.any, answers: .queue(answers[...])))
    }

    /// Answers requests of one method and path, each time anew.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ handler: @escaping Handler) {
        book.add(ScriptedRule(method: method, path: path, answers: .handler(handler)))
    }

    /// Gives requests of one method and path always the same answer.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ method: HTTPRequest.Method?, _ path: String, _ answer: StubResponse) {
        book.add(ScriptedRule(method: method, path: path, answers: .always(answer)))
    }

    /// Gives requests of one method and path one answer after another; then the rule is used up.
    ///
    /// - Parameters:
    ///   - method: The method; `nil` for all.
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ method: HTTPRequest.Method?, _ path: String, inOrder answers: [StubResponse]) {
        book.add(ScriptedRule(method: method, path: path, answers: .queue(answers[...])))
    }

    /// Answers requests of one path, whatever their method, each time anew.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(_ path: String, _ handler: @escaping Handler) { on(nil, path, handler) }

    /// Gives requests of one path always the same answer, whatever their method.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answer: The answer.
    public func on(_ path: String, _ answer: StubResponse) { on(nil, path, answer) }

    /// Gives requests of one path one answer after another, whatever their method; then the rule is used up.
    ///
    /// - Parameters:
    ///   - path: The path without a query, or a whole URL. `{name}` stands for one segment, `*` at the end for the rest.
    ///   - answers: The answers, each given once.
    public func on(_ path: String, inOrder answers: [StubResponse]) { on(nil, path, inOrder: answers) }

    /// Answers requests that a condition picks.
    ///
    /// - Parameters:
    ///   - condition: Whether the rule is for this request.
    ///   - name: What the rule is called in errors.
    ///   - handler: Works out each answer. It is called from many tasks at once.
    public func on(
        where condition: @escaping @Sendable (_ request: RecordedRequest) -> Bool,
        named name: String = "a condition",
        _ handler: @escaping Handler
    ) {
        book.add(ScriptedRule(.custom(named: name, condition), answers: .handler(handler)))
    }
}
