// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghRealtime
import SimorghSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ClientIdentityTests {
    @Test("An archive is read from its bytes or its file, and an identity of the keychain has none")
    func reading() throws {
        let bytes = try ClientIdentity(reading: TLSIdentity(pkcs12: .data(Data([1, 2])), passphrase: "a"))
        #expect(bytes.archive == [1, 2] && bytes.passphrase == "a" && bytes.keychainValue == nil)
        let keychain = try ClientIdentity(reading: TLSIdentity(KeychainIdentity("item")))
        #expect(keychain.keychainValue as? String == "item" && keychain.archive.isEmpty)
        let missing = TLSIdentity(pkcs12: .file("/nowhere/a.p12"), passphrase: "")
        let error = #expect(throws: TLSOptionsError.self) { try ClientIdentity(reading: missing) }
        #expect(error?.reason == .file)
    }

    @Test("A key in PEM is refused, with the way out")
    func pem() {
        let identity = TLSIdentity(certificates: .text("a"))
        #expect(identity.isPEM && !TLSIdentity(KeychainIdentity("item")).isPEM)
        let error = #expect(throws: TLSOptionsError.self) { try ClientIdentity(reading: identity) }
        #expect(error?.message.contains("pkcs12") == true)
    }

    @Test("A wrong passphrase of a PKCS #12 archive is told apart from a damaged archive")
    func importErrors() {
        func reason(_ status: Int) -> TLSOptionsError.Reason? {
            let error = ClientIdentity.importError(status)
            #expect(error.phase == .tls && !error.requestMayHaveBeenSent)
            return (error.underlying as? TLSOptionsError)?.reason
        }
        #expect(reason(-25_293) == .passphrase)
        #expect(reason(-25_264) == .passphrase)
        #expect(reason(-26_275) == .key)
    }
}
