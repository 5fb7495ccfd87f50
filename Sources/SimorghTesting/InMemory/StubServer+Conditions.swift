// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore

extension StubServer {
    /// Adds a stub for requests that match a condition, until the token is removed or released.
    ///
    /// - Parameters:
    ///   - condition: The condition.
    ///   - statusCode: The status code; 200 by default.
    ///   - header: The header fields; they override those of the body. An invalid name makes the response a failure.
    ///   - body: The body; empty by default.
    ///   - error: The error to fail with instead of a response; `nil` by default.
    ///   - delayInSeconds: The delay before the response, in seconds; 0 by default.
    /// - Returns: The token that removes the stub.
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
        let answer = body.response.answering(statusCode, headerFields: header)
        return add(condition, response: delayInSeconds > 0 ? answer.delayed(by: .seconds(delayInSeconds)) : answer)
    }
}

extension StubResponse {
    /// Returns the response with a status and more fields, or a failure if these are not valid.
    func answering(_ statusCode: Int, headerFields header: [String: String]) -> StubResponse {
        guard case .steps = content else { return self }
        guard (100...999).contains(statusCode) else {
            return .failure(.init(badStub: "\(statusCode) is not a valid status code"))
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

extension TransportError {
    /// Creates the error for a stub that is not valid.
    init(badStub message: String) {
        self.init(.unknown, phase: .head, message: "the stub is not valid: \(message)", requestMayHaveBeenSent: false)
    }

    /// Creates the transport error for the error of a stub.
    init(stubbing error: any Error) {
        self =
            error as? TransportError
            ?? TransportError(.unknown, phase: .head, message: "\(error)", underlying: error)
    }
}
