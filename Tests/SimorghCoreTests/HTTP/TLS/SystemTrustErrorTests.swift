// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SystemTrustErrorTests {
    @Test(
        "Apple's results of a trust evaluation have the code and reason of the same fault elsewhere",
        arguments: [
            (-67_818, TransportError.Code.serverCertificateHasBadDate, TLSError.Reason.expired),
            (-67_819, .serverCertificateNotYetValid, .notYetValid),
            (-67_602, .serverCertificateUntrusted, .wrongHost),
            (-67_843, .serverCertificateHasUnknownRoot, .unknownIssuer),
            (-25_318, .serverCertificateHasUnknownRoot, .unknownIssuer),
            (-67_820, .serverCertificateUntrusted, .revoked),
            (-67_609, .serverCertificateUntrusted, .wrongUsage),
            (-1, .serverCertificateUntrusted, .other),
        ])
    func table(status: Int, code: TransportError.Code, reason: TLSError.Reason) {
        let error = SystemTrustError(status: status, text: "no").transportError(for: "a.example")
        #expect(error.code == code)
        #expect(error.tlsFailure == reason)
        #expect(error.phase == .tls)
        #expect(!error.requestMayHaveBeenSent)
        #expect(error.message.contains("a.example") && error.message.contains("\(status)"))
    }
}
