// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
import Simorgh
import SimorghNIO
import SimorghSigning

/// The argument of `--aws-sigv4`, as curl has it.
package struct AWSSignature: Sendable, Equatable {
    /// The region of the signature.
    package let region: String
    /// The service of the signature.
    package let service: String
    /// The access key ID and the secret key of `--user`; `nil` for the usual sources of AWS programs.
    package let user: User?

    /// The credentials of `--user`.
    package struct User: Sendable, Equatable, CustomStringConvertible, CustomReflectable {
        let accessKeyID: String
        let secretAccessKey: String

        /// The access key ID, without the secret key.
        package var description: String { accessKeyID }

        /// A mirror with the access key ID only, so that dumping a value does not reveal the secret key.
        package var customMirror: Mirror { Mirror(self, children: ["accessKeyID": accessKeyID]) }
    }

    /// Parses the argument.
    ///
    /// - Parameters:
    ///   - text: `aws:amz`, perhaps followed by `:REGION` and `:SERVICE`; without them the first two labels of the host
    ///     name are the service and the region, as in `ec2.eu-west-1.amazonaws.com`.
    ///   - user: The value of `--user`.
    ///   - url: The URL of the request.
    /// - Throws: ``CommandError`` that names the option, and never a credential.
    package init(_ text: String, user: String?, url: String) throws(CommandError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (2...4).contains(parts.count), parts[0].lowercased() == "aws", parts[1].lowercased() == "amz" else {
            throw .usage("--aws-sigv4 takes aws:amz, aws:amz:REGION or aws:amz:REGION:SERVICE")
        }
        let host = (try? BaseURL.absolute(url).base.host) ?? ""
        let labels = CookieOrigin.isAddress(host) ? [] : host.split(separator: ".").map(String.init)
        let given = parts.dropFirst(2).map { $0 }
        guard let service = given.count > 1 ? given[1] : labels.first, !service.isEmpty,
            labels.count >= 3 || given.count > 1
        else {
            throw .usage("--aws-sigv4 needs the service, since the host does not name it: use aws:amz:REGION:SERVICE")
        }
        guard let region = given.first ?? labels.dropFirst().first, !region.isEmpty else {
            throw .usage("--aws-sigv4 needs the region: use aws:amz:REGION:SERVICE")
        }
        (self.region, self.service) = (region, service)
        guard let user else {
            self.user = nil
            return
        }
        guard let halves = user[...].halves(at: ":") else {
            throw .usage("with --aws-sigv4, --user takes ACCESS-KEY-ID:SECRET-KEY, but the value has no colon")
        }
        self.user = User(accessKeyID: String(halves.before), secretAccessKey: String(halves.behind))
    }

    /// The argument for curl.
    var curlArgument: String { "aws:amz:\(region):\(service)" }

    /// The authentication of requests.
    var authentication: Authentication {
        let source: AWSCredentialsSource =
            user.map {
                .fixed(AWSCredentials(accessKeyID: $0.accessKeyID, secretAccessKey: $0.secretAccessKey))
            } ?? .automatic(over: APIClient(transport: NIOTransport.shared))
        return .signed(by: SigV4Signer(region: region, service: service, credentials: source))
    }
}
#endif
