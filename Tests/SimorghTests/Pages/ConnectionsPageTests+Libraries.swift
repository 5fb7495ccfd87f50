// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Simorgh
import SimorghContracts
import SimorghGraphQL
import SimorghInspector
import SimorghOAuth
import SimorghServices
import SimorghSigning
import SimorghSupport

// The defaults of the libraries that `import Simorgh` does not bring.
extension ConnectionsPageTests {
    static var signIns: [String: String] {
        [
            "LoopbackOptions.port": "\(LoopbackOptions().port)", "LoopbackOptions.path": LoopbackOptions().path,
            "LoopbackOptions.timeout": seconds(LoopbackOptions().timeout),
            "JWTAssertion.lifetime": seconds(JWTAssertion(issuer: "", audience: "").lifetime),
            "JWTAssertion.clockSkew": seconds(JWTAssertion(issuer: "", audience: "").clockSkew),
        ]
    }

    static var signing: [String: String] {
        get throws {
            let signer = SigV4Signer.s3(region: "eu-west-1", credentials: .environment)
            let secret = try MessageSigningKey(.hmacSHA256, bytes: Data(repeating: 1, count: 16))
            let messages = HTTPMessageSigner(key: secret, keyID: "a")
            let verifier = MessageSignatureVerifier { _ in nil }
            return [
                "SigV4Signer.payload": "\(signer.payload)",
                "SigV4Signer.correctsClockSkew": isOn(signer.correctsClockSkew),
                "SigV4Signer.maximumExpiration": days(SigV4Signer.maximumExpiration),
                "HTTPMessageSigner.lifetime": seconds(messages.lifetime),
                "HTTPMessageSigner.fallsBackToDraft": isOn(messages.fallsBackToDraft),
                "MessageSignatureVerifier.maximumAge": seconds(verifier.maximumAge),
                "MessageSignatureVerifier.clockTolerance": seconds(verifier.clockTolerance),
            ]
        }
    }

    static var services: [String: String] {
        ["ClientService.defaultTime": seconds(ClientService.defaultTime)]
    }

    static var contracts: [String: String] {
        let limits = OpenAPIContract.Limits()
        return [
            "OpenAPIContract.Limits.bytes": bytes(limits.bytes), "OpenAPIContract.Limits.paths": number(limits.paths),
            "OpenAPIContract.Limits.values": number(limits.values),
        ]
    }

    static var inspector: [String: String] {
        let configuration = Inspector.Configuration()
        return [
            "Inspector.Configuration.maximumCalls": number(configuration.maximumCalls),
            "Inspector.Configuration.maximumBodyBytes": bytes(configuration.maximumBodyBytes),
            "Inspector.Configuration.maximumBytes": bytes(configuration.maximumBytes),
            "Inspector.Configuration.maximumMessages": number(configuration.maximumMessages),
        ]
    }

    static var graphQL: [String: String] {
        let options = GraphQLOptions()
        return [
            "GraphQLOptions.usesGETForQueries": isOn(options.usesGETForQueries),
            "GraphQLOptions.maximumURLBytes": number(options.maximumURLBytes),
            "GraphQLOptions.usesPersistedQueries": isOn(options.usesPersistedQueries),
            "GraphQLOptions.maximumUploads": number(options.maximumUploads),
            "GraphQLOptions.maximumPartBytes": bytes(options.maximumPartBytes),
            "GraphQLOptions.maximumPatches": number(options.maximumPatches),
        ]
    }
}
