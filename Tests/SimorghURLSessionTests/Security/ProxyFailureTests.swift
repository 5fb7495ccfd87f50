// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import SimorghCore
import SimorghURLSession
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(5)))
struct ProxyFailureTests {
    private static let domain = "kCFErrorDomainCFNetwork"

    @Test("CFNetwork's errors for proxies become a ProxyError, with nothing sent", arguments: [306, 310, 311, 121])
    func table(code: Int) throws {
        let cause = NSError(domain: Self.domain, code: code)
        let wrapped = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: cause])
        for error in [cause as any Error, wrapped] {
            let error = try #require(ProxyFailure.error(error))
            #expect(error.code == .cannotConnectToHost)
            #expect(error.phase == .connect)
            #expect(!error.requestMayHaveBeenSent)
            #expect((error.underlying as? ProxyError)?.message.contains("\(code)") == true)
        }
    }

    @Test("The message of another error of CFNetwork has its number, and not the URL with its query")
    func message() {
        let error = NSError(
            domain: Self.domain, code: 303,
            userInfo: ["NSErrorFailingURLStringKey": "https://a.example/?token=secret"])
        let message = TransportError(error, in: .head, isSecure: true).message
        #expect(message.contains("303") && !message.contains("secret"))
    }

    @Test("Other errors are not those of a proxy")
    func others() {
        #expect(ProxyFailure.error(URLError(.timedOut)) == nil)
        #expect(ProxyFailure.error(NSError(domain: Self.domain, code: 2)) == nil)
        #expect(ProxyFailure.error(NSError(domain: "other", code: 310)) == nil)
        #expect(ProxyFailure.error(CancellationError()) == nil)
    }
}
