// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A check of whether the certificates of a chain share a policy if one of them requires that (RFC 5280, section 6.1).
///
/// BoringSSL checks the same at the end of its verification. But if there is no shared policy, it names no
/// certificate, and NIOSSL, which expects one, ends the process. So this check comes first, and fails whenever
/// BoringSSL's would. It does not know self-issued certificates of authorities, for which the rules are milder.
struct CertificatePolicies {
    /// The object identifier of any policy, 2.5.29.32.0, in DER.
    private static let anyPolicy: [UInt8] = [0x55, 0x1D, 0x20, 0x00]

    /// The policies that the chain has in common so far.
    private var policies: Set<[UInt8]> = []
    private var hasAny = true
    /// The numbers of further certificates that need no policy, may map policies, and may assert any policy.
    private var limits = Limits(needless: .max, renaming: .max, wildcard: .max)

    private struct Limits {
        var needless: Int
        var renaming: Int
        var wildcard: Int
    }

    /// Adds the next certificate in DER; the first is the one below the root.
    ///
    /// - Parameter bytes: The certificate.
    /// - Returns: True if the chain still has a policy, or needs none yet.
    mutating func take(_ bytes: [UInt8]) -> Bool {
        let rules = Rules(bytes)
        restrict(to: rules.policies)
        let isEmpty = policies.isEmpty && !hasAny
        rename(rules.renamed)
        limits.needless = min(max(0, limits.needless - 1), rules.needless ?? .max)
        limits.renaming = min(max(0, limits.renaming - 1), rules.renaming ?? .max)
        limits.wildcard = min(max(0, limits.wildcard - 1), rules.wildcard ?? .max)
        return limits.needless > 0 || !isEmpty
    }

    private mutating func restrict(to own: Set<[UInt8]>) {
        let hadAny = hasAny
        if !own.contains(Self.anyPolicy) || limits.wildcard == 0 {
            policies.formIntersection(own)
            hasAny = false
        }
        if hadAny { policies.formUnion(own.subtracting([Self.anyPolicy])) }
    }

    private mutating func rename(_ pairs: [(issuers: [UInt8], subjects: [UInt8])]) {
        let remaining = policies.subtracting(pairs.map { $0.issuers })
        let renamed = pairs.filter { hasAny || policies.contains($0.issuers) }.map { $0.subjects }
        policies = limits.renaming > 0 ? remaining.union(renamed) : remaining
    }

    /// The policy extensions of a certificate, of which there are four.
    private struct Rules {
        var policies: Set<[UInt8]> = []
        var renamed: [(issuers: [UInt8], subjects: [UInt8])] = []
        var needless: Int?
        var renaming: Int?
        var wildcard: Int?

        init(_ bytes: [UInt8]) {
            var outer = DERReader(bytes[...])
            guard var certificate = outer.enter(0x30), var content = certificate.enter(0x30) else { return }
            while let tag = content.rest.first, var part = content.enter(tag) {
                guard tag == 0xA3, var extensions = part.enter(0x30) else { continue }
                while var item = extensions.enter(0x30) { read(&item) }
            }
        }

        private mutating func read(_ item: inout DERReader) {
            guard let number = item.enter(0x06)?.rest, number.count == 3, number.starts(with: [0x55, 0x1D]) else {
                return
            }
            // The optional flag for a critical extension.
            _ = item.enter(0x01)
            guard var value = item.enter(0x04) else { return }
            switch number.last {
            case 32:
                guard var list = value.enter(0x30) else { return }
                while var policy = list.enter(0x30) {
                    if let number = policy.enter(0x06) { policies.insert(Array(number.rest)) }
                }
            case 33:
                guard var list = value.enter(0x30) else { return }
                while var pair = list.enter(0x30) {
                    guard let issuers = pair.enter(0x06), let subjects = pair.enter(0x06) else { continue }
                    renamed.append((Array(issuers.rest), Array(subjects.rest)))
                }
            case 36:
                guard var limits = value.enter(0x30) else { return }
                needless = limits.enter(0x80).map(Self.number)
                renaming = limits.enter(0x81).map(Self.number)
            case 54: wildcard = value.enter(0x02).map(Self.number)
            default: break
            }
        }

        /// Returns a number of certificates; 0 for a negative one.
        private static func number(_ reader: DERReader) -> Int {
            guard let first = reader.rest.first, first < 0x80 else { return 0 }
            let digits = reader.rest.drop { $0 == 0 }
            return digits.count >= MemoryLayout<Int>.size ? .max : digits.reduce(0) { $0 << 8 | Int($1) }
        }
    }
}
