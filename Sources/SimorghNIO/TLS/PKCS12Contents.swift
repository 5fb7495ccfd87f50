// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A check of a PKCS #12 archive (RFC 7292) before NIOSSL reads it: NIOSSL ends the process for an archive that has no key
/// or no certificate.
enum PKCS12Contents {
    private static let (sequence, integer, octets, explicit): (UInt8, UInt8, UInt8, UInt8) = (0x30, 0x02, 0x04, 0xA0)
    private static let identifier: UInt8 = 0x06
    /// 1.2.840.113549.1.7.1, unencrypted data.
    private static let data: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    /// 1.2.840.113549.1.12.10.1, below which are 1 and 2 for keys, and 3 for certificates.
    private static let bag: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01]

    /// Returns the part that an archive lacks, for a message; `nil` if it has both, or is not in DER.
    ///
    /// Certificates may be encrypted, and are then assumed. A key is encrypted by itself, and has to be outside the
    /// encrypted parts, where all common programs write it.
    static func missingPart(of archive: [UInt8]) -> String? {
        var outer = DERReader(archive[...])
        guard var pfx = outer.enter(sequence), pfx.enter(integer) != nil, var safe = pfx.enter(sequence),
            safe.enter(identifier)?.rest.elementsEqual(data) == true, var content = safe.enter(explicit),
            var bytes = content.enter(octets), var parts = bytes.enter(sequence)
        else { return nil }
        var (hasKey, hasCertificate) = (false, false)
        while var part = parts.enter(sequence) {
            guard part.enter(identifier)?.rest.elementsEqual(data) == true else {
                hasCertificate = true
                continue
            }
            guard var content = part.enter(explicit), var bytes = content.enter(octets),
                var bags = bytes.enter(sequence)
            else { return nil }
            while var entry = bags.enter(sequence) {
                guard let kind = entry.enter(identifier)?.rest, kind.starts(with: bag), kind.count == bag.count + 1
                else { continue }
                switch kind.last ?? 0 {
                case 1, 2: hasKey = true
                case 3: hasCertificate = true
                default: break
                }
            }
        }
        guard hasKey else { return "private key" }
        return hasCertificate ? nil : "certificate"
    }
}
