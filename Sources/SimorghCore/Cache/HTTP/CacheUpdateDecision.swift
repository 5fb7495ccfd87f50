// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghSupport

/// The decision about a server's response (RFC 9111, sections 3 and 4.3 to 4.4).
package struct CacheUpdateDecision: Sendable, Equatable {
    /// A change of the store.
    package enum Storing: Sendable, Equatable {
        case nothing
        /// The response is stored with its body.
        case store(StoredResponse)
        /// The metadata of the stored response is replaced; its body is kept.
        case update(StoredResponse)
        /// The stored response is removed.
        case remove
    }

    /// The reply to the caller from the updated stored response; `nil` to return the server's response.
    package private(set) var reply: CachedReply?
    package private(set) var storing = Storing.nothing
    /// The URLs whose stored responses are invalid.
    package private(set) var invalidated: [String] = []
    /// The report about the server's response.
    package private(set) var report: CacheReport

    /// Decides about a response.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - forward: The decision about the request.
    ///   - request: The request, without the fields that the cache added.
    ///   - stored: The stored response that the request validates, if any.
    ///   - sent: The time at which the request was sent, in milliseconds since 1970.
    ///   - now: The current time.
    ///   - rules: The rules of the cache.
    package init(
        _ head: HTTPResponse, to forward: ForwardedRequest, request: CacheRequest, about stored: StoredResponse?,
        sent: Int64, now: Int64, rules: CacheRules
    ) {
        report = CacheReport(forward: forward.reason)
        let status = head.status.code
        guard request.isCacheable else {
            if !RequestMethod(rawValue: request.method).isSafe, (200...399).contains(status) {
                invalidated = Self.invalidated(by: request.url, head.headerFields)
            }
            return
        }
        if CacheStatuses.isFailure(status), let stored,
            let reply = CachedReply.afterFailure(
                of: forward, request: request, stored: stored, status: status, now: now, rules: rules)
        {
            self.reply = reply
            return
        }
        if request.method == "HEAD" {
            if status == 200, forward.mayStore, let stored {
                storing = Self.update(stored, byHead: head, request: request, sent: sent, now: now)
            }
            return
        }
        if status == 304 {
            guard let stored, forward.isOwnCondition || forward.mayStore else { return }
            validated(
                stored, by: head.headerFields, forward: forward, request: request, sent: sent, now: now, rules: rules)
            return
        }
        storing = Self.storing(
            head, status: status, forward: forward, request: request, about: stored, sent: sent, now: now, rules: rules)
        if case .store(let kept) = storing {
            let freshness = CacheFreshness(kept, now: now, rules: rules)
            report.isStored = true
            report.secondsToLive = (freshness.lifetime - freshness.age) / 1000
        }
    }

    /// Handles a 304 response, to the cache's own conditions or the caller's.
    private mutating func validated(
        _ stored: StoredResponse, by fields: HTTPFields, forward: ForwardedRequest, request: CacheRequest, sent: Int64,
        now: Int64, rules: CacheRules
    ) {
        let refersToStored: Bool
        if forward.isOwnCondition {
            // Another entity tag refers to another response, but the caller still gets the stored body.
            refersToStored = CacheValidators.agree(stored.fields, with: fields)
        } else {
            refersToStored = CacheValidators.confirms(stored, request: request.fields, answer: fields)
        }
        var updated = stored
        if refersToStored, forward.mayStore {
            updated = stored.changed {
                $0.fields = CacheFields.merged(stored.fields, with: fields)
                ($0.requestTime, $0.responseTime, $0.isInvalidated) = (sent, now, false)
            }
            storing = Self.updating(stored, to: updated, request: request)
        }
        guard forward.isOwnCondition else { return }
        reply = CachedReply.afterValidation(by: forward, request: request, stored: updated, now: now, rules: rules)
    }

    /// Decides about a stored response with updated fields.
    private static func updating(
        _ stored: StoredResponse, to updated: StoredResponse, request: CacheRequest
    ) -> Storing {
        let control = updated.control
        if control.noStore, !(control.mustUnderstand && CacheStatuses.isUnderstood(updated.status)) { return .remove }
        // If other request fields select it, or it has become private, it belongs under another key.
        let selectors = CacheVary.selectors(for: updated.fields, control: control, request: request.sentHeaderFields)
        return selectors == stored.selectors ? .update(updated) : .remove
    }

    /// Updates or invalidates a stored response after a HEAD (RFC 9111, section 4.3.5).
    private static func update(
        _ stored: StoredResponse, byHead head: HTTPResponse, request: CacheRequest, sent: Int64, now: Int64
    ) -> Storing {
        let newFields = head.headerFields
        let compared = [HTTPField.Name.eTag, .lastModified, .contentLength].filter { name in
            // A decoded body has no stored length; a validator that the stored response lacks belongs to another
            // response.
            newFields.contains(name) && (name != .contentLength || stored.fields.contains(name))
        }
        let isSame =
            stored.status == 200 && compared.allSatisfy { newFields[values: $0] == stored.fields[values: $0] }
        guard isSame, !CacheControl(newFields).noStore else {
            return .update(stored.changed { $0.isInvalidated = true })
        }
        // Without the validators that the stored response has, the HEAD may describe another response.
        guard !compared.isEmpty || !(stored.fields.contains(.eTag) || stored.fields.contains(.lastModified)) else {
            return .nothing
        }
        let updated = stored.changed {
            $0.fields = CacheFields.merged(stored.fields, with: newFields)
            ($0.requestTime, $0.responseTime) = (sent, now)
        }
        return updating(stored, to: updated, request: request)
    }

    /// Decides about storing a response with its body (RFC 9111, section 3).
    private static func storing(
        _ head: HTTPResponse, status: Int, forward: ForwardedRequest, request: CacheRequest,
        about stored: StoredResponse?, sent: Int64, now: Int64, rules: CacheRules
    ) -> Storing {
        let fields = head.headerFields
        let facts = StoredResponseProperties(fields)
        let control = facts.control
        guard forward.mayStore, request.isRead, status >= 200, status != 206, status != 304 else {
            return .nothing
        }
        // The response to a conditional or range request can be stored only if it is the complete representation.
        if request.fields.contains(.range) || CacheValidators.isConditional(request.fields), status != 200 {
            return .nothing
        }
        if control.mustUnderstand {
            guard CacheStatuses.isUnderstood(status) else { return .nothing }
        } else if control.noStore {
            return .nothing
        }
        // A 5xx response does not invalidate the stored one.
        let otherwise: Storing = stored != nil && status < 500 ? .remove : .nothing
        // Fields that the transport adds matter only if the response varies by them.
        let requestFields = fields.contains(.vary) ? request.sentHeaderFields : request.fields
        guard let selectors = CacheVary.selectors(for: fields, control: control, request: requestFields) else {
            return otherwise
        }
        let isAllowed =
            control.isPublic || control.isPrivate || control.maxAge != nil || fields.contains(.expires)
            || CacheStatuses.isHeuristic(status)
        let dropped = CacheFields.dropped(fields, control: control)
        let kept = StoredResponse(
            url: request.url, partition: request.partition, status: status,
            fields: CacheFields.kept(fields, without: dropped),
            facts: dropped.contains(where: StoredResponseProperties.names.contains) ? nil : facts, selectors: selectors,
            requestTime: sent, responseTime: now, isDecoded: request.isDecoded)
        guard isAllowed, isUseful(kept, control: control, request: request, now: now, rules: rules) else {
            return otherwise
        }
        return .store(kept)
    }

    /// Returns true if a stored response could ever be used.
    private static func isUseful(
        _ kept: StoredResponse, control: CacheControl, request: CacheRequest, now: Int64, rules: CacheRules
    ) -> Bool {
        switch request.strategy {
        case .returnCacheDataElseLoad, .returnCacheDataDontLoad: return true
        default: break
        }
        if rules.storesForAnyAge || CacheValidators.hasValidator(kept) { return true }
        guard !control.noCache else { return false }
        // A response that is stale on arrival can still be used while it is fetched again, or if the server fails (RFC
        // 5861); neither needs a validator.
        let windows = [control.staleWhileRevalidate, control.staleIfError].compactMap { $0?.value(orIfInvalid: 0) }
        let mayBeStale = !control.mustRevalidate && (rules.staleIfError > 0 || windows.contains { $0 > 0 })
        return mayBeStale || CacheFreshness(kept, now: now, rules: rules).lifetime > 0
    }

    /// Returns the URLs that a change invalidates: its own, and those that the response names on the same origin.
    package static func invalidated(by url: String, _ fields: HTTPFields) -> [String] {
        var urls = [url]
        let base = URLReference(url)
        for name in [HTTPField.Name.location, .contentLocation] {
            guard fields.contains(name) else { continue }
            for field in fields[fields: name] {
                let named = CacheKey.normalized(URLReference(field.urlText).resolved(against: base).description)
                if let named, CacheKey.isSameOrigin(named, as: url), !urls.contains(named) { urls.append(named) }
            }
        }
        return urls
    }
}
