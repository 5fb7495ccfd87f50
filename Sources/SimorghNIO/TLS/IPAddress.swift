// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// An address as a certificate has it: 4 bytes or 16.
struct IPAddress: Equatable {
    let bytes: [UInt8]

    /// Reads an address; `nil` for a name.
    init?(_ text: String) {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = Array(bytes.prefix(4))
        } else if inet_pton(AF_INET6, text, &bytes) == 1 {
            self.bytes = bytes
        } else {
            return nil
        }
    }

    /// Whether a certificate is for it; an address is looked for among the addresses only (RFC 9110, section 4.3.5).
    func isNamed(in certificate: NIOSSLCertificate) -> Bool {
        certificate._subjectAlternativeNames().contains { name in
            guard name.nameType == .ipAddress else { return false }
            return name.contents.withUnsafeBufferPointer { $0.elementsEqual(bytes) }
        }
    }
}
