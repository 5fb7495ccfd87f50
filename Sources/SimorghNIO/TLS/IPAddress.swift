// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import NIOSSL
import SimorghSupport

/// An IP address as in a certificate: 4 or 16 bytes.
struct IPAddress: Equatable {
    let bytes: [UInt8]

    /// Parses an IP address; `nil` for a name.
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
    /// The DNS names and IP addresses among the subject alternative names of the certificate.
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
