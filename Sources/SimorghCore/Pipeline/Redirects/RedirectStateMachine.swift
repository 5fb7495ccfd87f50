// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// State machine that interprets redirects, and records those that one call has followed.
package struct RedirectStateMachine: Sendable {
    /// The decision about a response.
    package enum Decision: Sendable {
        /// The response is the result of the call.
        case stay
        case refuse(RedirectError)
        case follow(RedirectProposal)
    }

    private let policy: RedirectPolicy
    private let security: (any TransportSecurityPolicy)?
    package private(set) var history: [Redirection] = []
    /// The fragment of the last `Location` that had one: a later one inherits it (RFC 9110, section 10.2.2).
    private var fragment: String?

    package init(_ policy: RedirectPolicy, security: (any TransportSecurityPolicy)? = nil) {
        self.policy = policy
        self.security = security
    }

    /// Returns true for a redirect status; all others, including 300, 304, 305 and 306, are results of the call.
    @inline(__always)
    package static func isRedirect(_ status: Int) -> Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// The redirect status codes.
    package static let statuses = Set((300..<400).filter(isRedirect))

    /// Decides what to do with a response.
    ///
    /// - Parameters:
    ///   - response: The response head.
    ///   - request: The request of the response.
    /// - Returns: The decision. The state changes only with ``followed(_:with:)``.
    package func decision(on response: HTTPResponse, to request: TransportRequest) -> Decision {
        let locations = Set(response.headerFields[fields: .location].map(\.urlText))
        // A redirect without a `Location` is not a failure: it is returned as it is.
        guard Self.isRedirect(response.status.code), let location = locations.first, !location.isEmpty else {
            return .stay
        }
        func refuse(_ reason: RedirectError.Reason, message: String) -> Decision {
            .refuse(
                RedirectError(
                    reason, message: "\(response.status.code) \(message)", statusCode: response.status.code,
                    from: request.shownURL, location: request.shown(location), history: history))
        }
        guard locations.count == 1 else {
            return refuse(.invalidLocation, message: "has more than one Location header field")
        }
        // HTTP/2 and URLSession pass fields as text, in which U+FFFD replaces invalid bytes.
        guard !location.unicodeScalars.contains("\u{FFFD}") else {
            return refuse(
                .invalidLocation, message: "has a Location with U+FFFD, which stands for bytes that are not UTF-8")
        }
        var reference = URLReference(location)
        let ignoresUserInfo = reference.removeUserInfo()
        if let scheme = reference.scheme, !BaseURL.httpSchemes.contains(scheme.lowercased()) {
            return refuse(.unsupportedScheme, message: "leads to a URL that is not of http or https")
        }
        var target: (base: BaseURL, target: String)
        do {
            target = try BaseURL.absolute(
                reference.resolved(against: URLReference(Self.url(of: request.head))).description, percent: .untouched)
            if target.base.scheme == "http",
                let authority = security?.secureAuthority(host: target.base.host, port: target.base.port)
            {
                target.base = try BaseURL("https://\(authority)")
            }
        } catch {
            return refuse(.invalidLocation, message: "has a Location that cannot be followed: \(error)")
        }
        let current = try? BaseURL.absolute(Self.url(of: request.head)).base
        if target.base.isUnixSocket, current?.scheme != target.base.scheme || current?.host != target.base.host {
            return refuse(
                .unsupportedScheme, message: "leads to a Unix socket of this machine, which a server may not choose")
        }
        if current?.isSecure == true, !target.base.isSecure, !policy.allowsDowngrade {
            return refuse(
                .downgrade, message: "leads from https to http, which would send the request unencrypted")
        }
        let fragment = reference.fragment.map(String.init) ?? fragment
        let proposal = propose(
            target, from: current, fragment: fragment, ignoresUserInfo: ignoresUserInfo, after: response, to: request)
        if !proposal.request.body.isEmpty, proposal.request.body.replayability == .once {
            return refuse(
                .bodyCannotBeSentAgain,
                message: "requires the body again, but it can be sent only once: use a replayable body")
        }
        if proposal.isCrossOrigin, let condition = proposal.request.writeCondition,
            !WebOrigin.isUpgrade(of: request.head.origin, to: proposal.request.head.origin)
        {
            return refuse(
                .conditionForAnotherOrigin,
                message: "leads to another origin, where \(condition.rawName) means nothing: send it there yourself")
        }
        guard history.count < policy.limit else {
            let urls = history.map { "\($0.method) \($0.to)" } + [proposal.redirection].map { "\($0.method) \($0.to)" }
            return Set(urls).count < urls.count
                ? refuse(
                    .loop, message: "is a redirect loop: after \(history.count) redirects it leads to an earlier URL")
                : refuse(.tooMany, message: "is one redirect more than the limit of \(policy.limit)")
        }
        return .follow(proposal)
    }

    /// Records a redirect that is followed.
    ///
    /// - Parameters:
    ///   - proposal: The proposal.
    ///   - request: The request that is sent for it.
    /// - Returns: The new entry of the history.
    package mutating func followed(_ proposal: RedirectProposal, with request: TransportRequest) -> Redirection {
        let proposed = proposal.redirection
        let isChanged =
            request.urlString != proposal.request.urlString || request.head.method != proposal.request.head.method
        let redirection =
            isChanged
            ? Redirection(
                statusCode: proposed.statusCode, from: proposed.from, to: request.shownURL,
                method: request.head.method.rawValue)
            : proposed
        fragment = URLReference(redirection.to).fragment.map(String.init)
        history.append(redirection)
        return redirection
    }

    private func propose(
        _ target: (base: BaseURL, target: String), from current: BaseURL?, fragment: String?,
        ignoresUserInfo: Bool, after response: HTTPResponse, to request: TransportRequest
    ) -> RedirectProposal {
        var next = request
        next.head.scheme = target.base.scheme
        next.head.authority = target.base.authority
        next.head.path = target.target
        let isCrossOrigin =
            current?.scheme != target.base.scheme || current?.authority != target.base.authority
        if Self.becomesGet(request.head.method, at: response.status.code) {
            if next.head.method != .head { next.head.method = .get }
            next.body = .empty
            // The key belongs to the request that the server has processed.
            let keys = request.idempotencyFields
            next.head.headerFields = next.head.headerFields.filtered { !Self.isAboutBody($0) && !keys.contains($0) }
            // So does a condition: after the write the resource has another version.
            if !RequestMethod(rawValue: request.head.method.rawValue).isSafe {
                next.head.headerFields.removeConditions(keepsAsterisk: false)
            }
        }
        if isCrossOrigin {
            var dropped = CredentialFields.known.union(request.options.userInfo[CredentialFields.self])
            dropped.formUnion(request.idempotencyFields)
            for name in policy.sensitiveHeaders { if let name = HTTPField.Name(name) { dropped.insert(name) } }
            // `Host` and `Referer` reveal the first host, and do not apply to the next one.
            for name in ["Host", "Referer"] { if let name = HTTPField.Name(name) { dropped.insert(name) } }
            next.head.headerFields = next.head.headerFields.filtered { !dropped.contains($0) }
            // A write is refused instead. The same host over TLS knows its own versions.
            if next.writeCondition == nil, !policy.keepsConditions,
                !WebOrigin.isUpgrade(of: request.head.origin, to: next.head.origin)
            {
                next.head.headerFields.removeConditions()
            }
            next.options.tls = next.options.tls.forAnotherOrigin
        }
        let shown = fragment.map { "#" + PercentEncoding.encoded($0, keeping: .query, percent: .kept) } ?? ""
        return RedirectProposal(
            response: response,
            redirection: Redirection(
                statusCode: response.status.code,
                from: history.last?.to ?? request.shownURL,
                to: next.shownURL + shown,
                method: next.head.method.rawValue,
                ignoresUserInfo: ignoresUserInfo),
            isCrossOrigin: isCrossOrigin,
            history: history,
            request: next
        )
    }

    /// Returns true if the next request becomes a GET (RFC 9110, sections 15.4.2 to 15.4.4).
    ///
    /// At 301 and 302 only a POST becomes a GET, as in browsers.
    private static func becomesGet(_ method: HTTPRequest.Method, at status: Int) -> Bool {
        status == 303 || (status == 301 || status == 302) && method == .post
    }

    /// Returns true for a field that describes the body of a request.
    package static func isAboutBody(_ name: HTTPField.Name) -> Bool {
        let name = name.canonicalName
        return name.hasPrefix("content-") || bodyFields.contains(name)
    }

    private static let bodyFields: Set<String> = [
        "transfer-encoding", "trailer", "expect", "digest", "repr-digest", "want-content-digest",
    ]

    /// Returns the URL of a request; a target that is not a path, such as `*` of OPTIONS, becomes `/`.
    private static func url(of head: HTTPRequest) -> String {
        var head = head
        if head.path?.utf8.first != UInt8(ascii: "/") { head.path = "/" }
        return head.urlString
    }
}

extension HTTPFields {
    /// Returns the fields whose names pass a test, in order.
    package func filtered(_ isKept: (HTTPField.Name) -> Bool) -> HTTPFields {
        var fields = HTTPFields()
        for field in self where isKept(field.name) { fields.append(field) }
        return fields
    }
}
