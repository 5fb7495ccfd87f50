// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import HTTPTypes
import SimorghCore
import SimorghREST
import SimorghSupport
import Synchronization

extension HTTPMessageSigner {
    private static let digest = HTTPField.Name.known("Digest")

    /// The name of the algorithm; `hs2019` leaves it to the key, and for RSA means PSS.
    private var draftAlgorithm: String { key.algorithm == .rsaPKCS1SHA256 ? "rsa-sha256" : "hs2019" }

    /// Signs a request by draft-cavage-http-signatures-12: the target, the host, the date and the digest of the body.
    func signedByDraft(_ request: TransportRequest, at date: Date) async throws -> TransportRequest {
        var request = request
        guard !request.head.headerFields.contains(MessageSignatureFields.signature) else { return request }
        guard keyID.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else {
            throw SigningError(
                .invalidSetting, "the identifier of the key has a character that the draft does not allow")
        }
        var names = ["(request-target)", "host", "date"]
        request.head.headerFields[.date] = HTTPDate.text(date)
        if !request.body.isEmpty {
            names.append("digest")
            if !request.head.headerFields.contains(Self.digest) {
                request.head.headerFields[Self.digest] =
                    "SHA-256=\(Base64.text(try await BodyHash.sha256(of: request)))"
            }
        }
        let text = try draftText(of: request.head, names: names)
        let signature: Data
        do { signature = try key.signature(of: text) } catch {
            throw SigningError(.invalidSetting, "the key could not sign: \(error)")
        }
        request.head.headerFields[MessageSignatureFields.signature] =
            "keyId=\"\(keyID)\",algorithm=\"\(draftAlgorithm)\",headers=\"\(names.joined(separator: " "))\","
            + "signature=\"\(signature.base64EncodedString())\""
        return request
    }

    /// Returns the text that is signed (section 2.3 of the draft).
    private func draftText(of head: HTTPRequest, names: [String]) throws -> String {
        let host = try head.hostToSign
        return names.map { name in
            let value =
                switch name {
                case "(request-target)": "\(head.method.rawValue.lowercased()) \(head.path ?? "/")"
                case "host": host
                case "date": head.headerFields[.date] ?? ""
                default: head.headerFields[Self.digest] ?? ""
                }
            return "\(name): \(value)"
        }.joined(separator: "\n")
    }
}

/// The origins that are signed by the draft first.
final class DraftPreferences: Sendable {
    private let prefersDraft = Mutex(OriginLRU<Bool>(capacity: 256))

    func prefersDraft(_ head: HTTPRequest) -> Bool {
        prefersDraft.withLock { $0.update(head.origin, default: { false }) { $0 } }
    }

    /// Stores the signature that an origin has accepted.
    func set(_ head: HTTPRequest, isDraft: Bool) {
        prefersDraft.withLock { $0.update(head.origin, default: { false }) { $0 = isDraft } }
    }
}
