// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The response to a challenge: the value of `Authorization` (RFC 7616, section 3.4).
package struct DigestCredentials: Sendable {
    package let username: String
    package let password: String
    package let challenge: DigestChallenge
    /// The number of requests sent with the nonce, including this one.
    package let count: Int
    /// The client nonce (`cnonce`), which is part of the hash.
    package let clientNonce: String

    package init(username: String, password: String, challenge: DigestChallenge, count: Int, clientNonce: String) {
        self.username = username
        self.password = password
        self.challenge = challenge
        self.count = count
        self.clientNonce = clientNonce
    }

    /// Returns the field value for a request.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - target: The path with its query.
    ///   - bodyHash: The hash of the body; used only for the `auth-int` quality of protection.
    /// - Returns: The field value.
    package func value(method: String, target: String, bodyHash: String) -> String {
        var parameters: [String] = []
        if challenge.hashesUsername {
            parameters.append("username=\(quoted(hash("\(username):\(challenge.realm)")))")
        } else if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
            let kept = ByteSet.letters.union(.digits).union(ByteSet("!#$&+-.^_`|~"))
            parameters.append("username*=UTF-8''\(PercentEncoding.encoded(username, keeping: kept))")
        } else {
            parameters.append("username=\(quoted(username))")
        }
        parameters.append("realm=\(quoted(challenge.realm))")
        parameters.append("nonce=\(quoted(challenge.nonce))")
        parameters.append("uri=\(quoted(target))")
        parameters.append("response=\"\(response(method: method, target: target, bodyHash: bodyHash))\"")
        parameters.append("algorithm=\(challenge.algorithm.name)\(challenge.isSession ? "-sess" : "")")
        if let opaque = challenge.opaque { parameters.append("opaque=\(quoted(opaque))") }
        if let quality = challenge.quality { parameters.append("qop=\(quality.rawValue), nc=\(countText)") }
        if challenge.quality != nil || challenge.isSession { parameters.append("cnonce=\(quoted(clientNonce))") }
        if challenge.hashesUsername { parameters.append("userhash=true") }
        return "Digest \(parameters.joined(separator: ", "))"
    }

    /// Returns the hash that proves knowledge of the password.
    package func response(method: String, target: String, bodyHash: String) -> String {
        var secret = hash("\(username):\(challenge.realm):\(password)")
        if challenge.isSession { secret = hash("\(secret):\(challenge.nonce):\(clientNonce)") }
        let covered =
            challenge.quality == .authInt ? hash("\(method):\(target):\(bodyHash)") : hash("\(method):\(target)")
        guard let quality = challenge.quality else { return hash("\(secret):\(challenge.nonce):\(covered)") }
        return hash("\(secret):\(challenge.nonce):\(countText):\(clientNonce):\(quality.rawValue):\(covered)")
    }

    private var countText: String {
        let text = String(count, radix: 16)
        return String(repeating: "0", count: max(0, 8 - text.utf8.count)) + text
    }

    private func hash(_ text: String) -> String { challenge.algorithm.hash(text) }

    private func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            if character == "\"" || character == "\\" { quoted.unicodeScalars.append("\\") }
            quoted.unicodeScalars.append(character)
        }
        return quoted + "\""
    }
}

extension DigestCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The realm, without the user name and the password.
    package var description: String { "digest for \(challenge.realm)" }

    package var debugDescription: String { description }

    /// An empty mirror, so that dumping a value does not reveal the credential.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
