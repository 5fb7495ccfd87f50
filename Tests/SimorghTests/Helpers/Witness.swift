// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The servers for interop tests, which scripts/with-test-servers starts.
enum Witness: String, CaseIterable, Sendable {
    case httpbin = "SIMORGH_HTTPBIN_URL"
    case nginx = "SIMORGH_NGINX_URL"
    case nginxOverHTTP2 = "SIMORGH_NGINX_H2_URL"
    case nginxOverHTTP2InTheClear = "SIMORGH_NGINX_H2C_URL"
    /// apache2, which requires Digest credentials: user zal, password feather (Tests/Peers/apache.conf).
    case apache = "SIMORGH_APACHE_URL"
    /// nginx over TLS, with the certificates of Tests/Peers/certificates.py.
    case nginxTLS = "SIMORGH_NGINX_TLS_URL"
    /// Tests/Peers/counting.py, which reports the requests that it received.
    case counting = "SIMORGH_COUNTING_URL"
    /// The same server at another origin.
    case countingOther = "SIMORGH_COUNTING_OTHER_URL"
    /// Tests/Peers/rest/quotas.py, which implements idempotency keys, rate limits and QUERY.
    case quotas = "SIMORGH_QUOTAS_URL"
    /// tuspyserver, which implements tus 1.0 (Tests/Peers/tus.py).
    case tus = "SIMORGH_TUS_URL"
    /// Tests/Peers/uploads.py, which parses forms and implements the resumable upload draft.
    case uploads = "SIMORGH_UPLOADS_URL"
    /// Tests/Peers/streams.py, which writes events in lock step; nginx also proxies it below /streams.
    case streams = "SIMORGH_STREAMS_URL"
    /// Tests/Peers/downloads.py, whose files are cut off, changed or served incorrectly on request.
    case downloads = "SIMORGH_DOWNLOADS_URL"
    /// Tests/Peers/rest/problems.py, with problem details and linked pages.
    case problems = "SIMORGH_PROBLEMS_URL"
    /// Tests/Peers/rest/formats.py, which speaks property lists and JSON.
    case formats = "SIMORGH_FORMATS_URL"
    /// Tests/Peers/rest/documents.py, whose documents have tags and digests, and take patches.
    case documents = "SIMORGH_DOCUMENTS_URL"
    /// Tests/Peers/signing/server.py, which verifies HTTP message signatures, and gives AWS credentials.
    case signatures = "SIMORGH_SIGNATURES_URL"
    /// moto, an S3 that verifies signatures (Tests/Peers/signing/s3.py).
    case s3 = "SIMORGH_S3_URL"
    /// Tests/Peers/oauth/server.py, an authorization server of Authlib.
    case oauth = "SIMORGH_OAUTH_URL"

    /// Tests/Peers/tls.py, which lists its ports with correct and incorrect TLS.
    case tls = "SIMORGH_TLS_URL"
    /// Tests/Peers/wire.py, which upgrades the protocol, decodes compressed bodies and listens on Unix sockets.
    case wire = "SIMORGH_WIRE_URL"
    /// Tests/Peers/realtime.py, a WebSocket server that refuses, drops and closes connections on request.
    case realtime = "SIMORGH_REALTIME_URL"
    /// Tests/Peers/wsechoes.py, the server of Python's websockets, which nginx also proxies below /websockets.
    case websockets = "SIMORGH_WEBSOCKETS_URL"
    /// squid, with one user, zal, and the password feather:1, in cleartext and over TLS.
    case squid = "SIMORGH_SQUID_URL"
    case squidTLS = "SIMORGH_SQUID_TLS_URL"
    /// microsocks, with the same user.
    case socks = "SIMORGH_SOCKS_URL"
    /// dante, with the same user, which may connect to this machine but not to 127.0.0.2.
    case danted = "SIMORGH_DANTED_URL"
    /// haproxy in front of nginx (Tests/Peers/haproxy.cfg): in cleartext, over TLS, with two connections at most, and
    /// with connections that end as soon as they are idle.
    case haproxy = "SIMORGH_HAPROXY_URL"
    case haproxyTLS = "SIMORGH_HAPROXY_TLS_URL"
    case haproxyNarrow = "SIMORGH_HAPROXY_NARROW_URL"
    case haproxyHasty = "SIMORGH_HAPROXY_HASTY_URL"

    /// strawberry and ariadne, which implement GraphQL over WebSocket (Tests/Peers/graphs.py).
    case graphQL = "SIMORGH_GRAPHQL_URL"
    /// mosquitto, which implements MQTT over WebSocket (Tests/Peers/mosquitto.conf).
    case mosquitto = "SIMORGH_MOSQUITTO_URL"
    /// dnsdist, a DNS server over HTTPS, in front of Tests/Peers/dns.py (Tests/Peers/dnsdist.conf).
    case dnsOverHTTPS = "SIMORGH_DOH_URL"
    /// Tests/Peers/subscriptions.py, which simulates AppSync, Binance, Phoenix and Pusher.
    case subscriptions = "SIMORGH_SUBSCRIPTIONS_URL"

    /// The server was not started.
    struct Missing: Error, CustomStringConvertible {
        let variable: String
        var description: String {
            "\(variable) is not set: run `make test`, or scripts/with-test-servers scripts/swift test"
        }
    }

    /// The URL that the server listens on.
    ///
    /// - Throws: `Missing`, so that a run without the server fails instead of skipping the test.
    var url: String {
        get throws {
            guard let url = ProcessInfo.processInfo.environment[rawValue] else { throw Missing(variable: rawValue) }
            return url
        }
    }
}
