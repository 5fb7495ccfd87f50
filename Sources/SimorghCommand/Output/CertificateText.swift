// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import SimorghSupport
import SwiftASN1
import X509

/// Formats a certificate on one line: subject, issuer and validity.
enum CertificateText {
    static func of(_ der: Data) -> String {
        do {
            let certificate = try Certificate(derEncoded: Array(der))
            let days = "\(day(certificate.notValidBefore)) to \(day(certificate.notValidAfter))"
            let subject = certificate.subject.isEmpty ? "no subject" : "\(certificate.subject)"
            return "\(subject), issued by \(certificate.issuer), \(days)"
        } catch {
            return "\(der.count) bytes that cannot be read"
        }
    }

    private static func day(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day())
    }
}
#endif
