// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct RequestMethodTests {
    @Test(
        "Each method has its name, isSafe and isIdempotent (RFC 9110, 9.2)",
        arguments: [
            (RequestMethod.get, "GET", true, true), (.head, "HEAD", true, true), (.post, "POST", false, false),
            (.put, "PUT", false, true), (.delete, "DELETE", false, true), (.connect, "CONNECT", false, false),
            (.options, "OPTIONS", true, true), (.trace, "TRACE", true, true), (.patch, "PATCH", false, false),
            (.custom("PURGE"), "PURGE", false, false), (.custom("GET"), "GET", true, true),
            (.custom("get"), "get", false, false),
        ])
    func properties(method: RequestMethod, name: String, isSafe: Bool, isIdempotent: Bool) throws {
        #expect(method.rawValue == name)
        #expect(RequestMethod(rawValue: name) == method)
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
        #expect(try method.httpMethod().rawValue == name)
    }

    @Test("A custom method with a known name equals that method")
    func equality() {
        #expect(RequestMethod.custom("GET") == .get)
        #expect(Set([RequestMethod.custom("PUT"), .put]).count == 1)
        #expect(RequestMethod.custom("get") != .get)
        if case .get = RequestMethod(rawValue: "GET") {} else { Issue.record("GET is not the case get") }
    }

    @Test("A method that is not a token is refused", arguments: ["", "GE T", "GET\r\nX: y", "GÉT", "a/b"])
    func noToken(name: String) {
        let error = #expect(throws: InvalidRequestError.self) { try RequestMethod.custom(name).httpMethod() }
        #expect(error?.reason == .invalidMethod)
        #expect(error?.message.contains("\r") == false)
    }
}
