// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghSupport

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
}

extension NIOSSLCertificate {
    /// The names and addresses that the certificate is for: those of its subject alternative names.
    var presentedIdentifiers: [ReferenceIdentifier.Presented] {
        _subjectAlternativeNames().compactMap { name in
            let bytes = name.contents.withUnsafeBufferPointer { Array($0) }
            switch name.nameType {
            case .dnsName: return .dnsName(bytes)
            case .ipAddress: return .ipAddress(bytes)
            default: return nil
            }
        }
    }
}
