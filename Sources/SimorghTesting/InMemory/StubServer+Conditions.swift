// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes

extension StubServer {
    /// Answers requests that a condition picks, until the token is removed or let go.
    ///
    /// - Parameters:
    ///   - condition: Which requests.
    ///   - statusCode: The status; 200 by default.
    ///   - header: The header fields; they win over what the body brings. One whose name is not valid is a failure.
    ///   - body: The body; none by default.
    ///   - error: What the call fails with instead of an answer; `nil` by default.
    ///   - delayInSeconds: How long the answer is waited for; no time by default.
    /// - Returns: What takes the stub out again.
    public func add(
        condition: StubCondition, statusCode: Int = 200, header: [String: String] = [:], body: StubBody = .empty,
        error: (any Error)? = nil, delayInSeconds: Double = 0
    ) -> StubToken {
        if let error {
            return add(condition) { _ in
                if delayInSeconds > 0 { return .failure(.init(stubbing: error)).delayed(by: .seconds(delayInSeconds)) }
                throw error
            }
        }
        let answer = body.response.answering(statusCode, header)
        return add(condition, delayInSeconds > 0 ? answer.delayed(by: .seconds(delayInSeconds)) : answer)
    }
}

extension StubResponse {
    /// The same answer with a status and more fields, or a failure that says what is not valid about them.
    func answering(_ statusCode: Int, _ header: [String: String]) -> StubResponse {
        guard case .steps = content else { return self }
        guard (100...999).contains(statusCode) else {
            return .failure(.init(badStub: "\(statusCode) is no status"))
        }
        var response = self
        response.status = HTTPResponse.Status(code: statusCode)
        for (name, value) in header {
            guard let name = HTTPField.Name(name), HTTPField.isValidValue(value) else {
                return .failure(.init(badStub: "the header field \(name) is not valid"))
            }
            response.headerFields[name] = value
        }
        return response
    }
}
