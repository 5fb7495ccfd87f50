// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// The servers beside the tests, which scripts/peers starts.
enum Witness: String, CaseIterable, Sendable {
    case httpbin = "SIMORGH_HTTPBIN_URL"
    case nginx = "SIMORGH_NGINX_URL"
    case nginxOverHTTP2 = "SIMORGH_NGINX_H2_URL"
    case nginxOverHTTP2InTheClear = "SIMORGH_NGINX_H2C_URL"
    /// apache2, which wants a digest from zal, whose password is feather (Tests/Peers/apache.conf).
    case apache = "SIMORGH_APACHE_URL"
    /// The same over TLS, with the certificates of Tests/Peers/certificates.py.
    case nginxTLS = "SIMORGH_NGINX_TLS_URL"
    /// Tests/Peers/counting.py, which tells what reached it.
    case counting = "SIMORGH_COUNTING_URL"
    /// The same server at another origin.
    case countingOther = "SIMORGH_COUNTING_OTHER_URL"
    /// tuspyserver, which speaks tus 1.0 (Tests/Peers/tus.py).
    case tus = "SIMORGH_TUS_URL"
    /// Tests/Peers/uploads.py, which reads forms and speaks the draft of resumable uploads.
    case uploads = "SIMORGH_UPLOADS_URL"
    /// Tests/Peers/streams.py, which writes events in lock step; nginx has it, too, below /streams.
    case streams = "SIMORGH_STREAMS_URL"
    /// Tests/Peers/downloads.py, whose files are cut off, change and are served wrongly on demand.
    case downloads = "SIMORGH_DOWNLOADS_URL"

    /// Tests/Peers/tls.py, which tells its ports that speak TLS, rightly or wrongly.
    case tls = "SIMORGH_TLS_URL"
    /// Tests/Peers/wire.py, which changes the protocol, reads compressed bodies and listens on Unix sockets.
    case wire = "SIMORGH_WIRE_URL"
    /// Tests/Peers/realtime.py, a WebSocket server that refuses, drops and says goodbye on demand.
    case realtime = "SIMORGH_REALTIME_URL"
    /// Tests/Peers/wsechoes.py, the server of Python's websockets, which nginx has below /websockets, too.
    case websockets = "SIMORGH_WEBSOCKETS_URL"
    /// squid, whose one user is zal with the password feather:1, in the clear and over TLS.
    case squid = "SIMORGH_SQUID_URL"
    case squidTLS = "SIMORGH_SQUID_TLS_URL"
    /// microsocks, with the same user.
    case socks = "SIMORGH_SOCKS_URL"
    /// dante, with the same user, whom it lets go to this machine but not to 127.0.0.2.
    case danted = "SIMORGH_DANTED_URL"
    /// haproxy before nginx (Tests/Peers/haproxy.cfg): as it should be, over TLS, with two connections at most, and one
    /// that ends connections as soon as they rest.
    case haproxy = "SIMORGH_HAPROXY_URL"
    case haproxyTLS = "SIMORGH_HAPROXY_TLS_URL"
    case haproxyNarrow = "SIMORGH_HAPROXY_NARROW_URL"
    case haproxyHasty = "SIMORGH_HAPROXY_HASTY_URL"

    /// strawberry and ariadne, which speak GraphQL over WebSocket (Tests/Peers/graphs.py).
    case graphQL = "SIMORGH_GRAPHQL_URL"
    /// mosquitto, which speaks MQTT over WebSocket (Tests/Peers/mosquitto.conf).
    case mosquitto = "SIMORGH_MOSQUITTO_URL"
    /// Tests/Peers/subscriptions.py, which stands in for AppSync, Binance, Phoenix and Pusher.
    case subscriptions = "SIMORGH_SUBSCRIPTIONS_URL"

    /// No witness was started.
    struct Missing: Error, CustomStringConvertible {
        let variable: String
        var description: String { "\(variable) is not set: run `make test`, or scripts/peers scripts/swift test" }
    }

    /// Where the server listens.
    ///
    /// - Throws: `Missing`, so that a run without the witness fails instead of passing by.
    var url: String {
        get throws {
            guard let url = ProcessInfo.processInfo.environment[rawValue] else { throw Missing(variable: rawValue) }
            return url
        }
    }
}
