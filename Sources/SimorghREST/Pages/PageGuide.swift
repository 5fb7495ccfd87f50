// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

package import HTTPTypes
import SimorghCore
import SimorghSupport

/// State machine that decides which pages may be requested, and with which credentials.
struct PageGuide: Sendable {
    /// The longest URL or query of a page, in bytes; a longer one would not fit into a request.
    private static let maximumURLBytes = 64 * 1024

    private let allowed: Set<WebOrigin>
    /// The origin of the first request.
    private var origin: WebOrigin?
    /// True if a page came from another origin, also after a redirect: its links must not use the credentials.
    private var hasLeftOrigin = false
    /// The pages that were requested, by URL or by query.
    ///
    /// Their number is limited by `PageOptions.maximumPages`.
    private var visited: Set<String> = []

    init(allowing origins: Set<String>) { allowed = Set(origins.compactMap { WebOrigin($0) }) }

    /// Notes the response of a page.
    mutating func received(_ response: CollectedResponse) {
        if origin == nil { origin = WebOrigin(response.requestHead) }
        visited.insert(response.requestHead.urlString)
        // Another origin on the way has chosen the document, even if that is at the first origin again.
        let urls = response.redirects.flatMap { [$0.from, $0.to] } + [response.url]
        if origin == nil || urls.contains(where: { WebOrigin($0) != origin }) { hasLeftOrigin = true }
    }

    /// Returns the call for a page.
    ///
    /// - Parameters:
    ///   - next: The page.
    ///   - first: The call for the first page.
    ///   - response: The response that the page was found in.
    /// - Returns: The call.
    /// - Throws: ``PageError`` if the page must not be requested.
    mutating func call<Body>(
        for next: NextPage, of first: Call<Body>, after response: CollectedResponse
    ) throws(PageError) -> Call<Body> {
        switch next.target {
        case .url(let url): return try call(to: url, of: first, after: response)
        case .query(let items):
            // Compared before the encoding, which can make the text three times as long.
            let size = items.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) }
            guard size <= Self.maximumURLBytes else {
                throw PageError(
                    .invalidURL, message: "the query of the next page is longer than \(Self.maximumURLBytes) bytes")
            }
            guard visited.insert("?" + items.encoded).inserted else {
                throw PageError(.loop, message: "the query of the next page was sent before: the pages are a loop")
            }
            return first.replacing(items).afterFirstPage
        case .body(let body):
            return first.afterFirstPage.describing { ($0.body, $0.deferredBody) = (body, nil) }
        }
    }

    private mutating func call<Body>(
        to url: String, of first: Call<Body>, after response: CollectedResponse
    ) throws(PageError) -> Call<Body> {
        guard url.utf8.count <= Self.maximumURLBytes else {
            throw PageError(
                .invalidURL, message: "the URL of the next page is longer than \(Self.maximumURLBytes) bytes")
        }
        var resolved = URLReference(url).resolved(against: URLReference(response.url)).description
        // HTTP/2 and URLSession pass fields as text, in which U+FFFD replaces invalid bytes.
        guard !url.unicodeScalars.contains("\u{FFFD}") else {
            throw PageError(
                .invalidURL, next: url,
                message: "the next page has a URL with U+FFFD, which stands for bytes that are not UTF-8")
        }
        var page = try Self.absolute(resolved, as: url, query: [])
        if let security = first.settings.configuration.transportSecurity, let target = WebOrigin(page.base) {
            // The request would be sent over TLS, so the origins are compared as those of redirects are.
            let secure = security.upgraded(target)
            if secure != target {
                resolved = "\(secure)\(page.target)"
                page = try Self.absolute(resolved, as: url, query: [])
            }
            origin = origin.map { security.upgraded($0) }
        }
        guard let target = WebOrigin(page.base), target == origin || allowed.contains(target) else {
            let shown = LogText.oneLine(Redaction.shown(url: page.base.description))
            throw PageError(
                .otherOrigin, next: url,
                message: "the next page is at another origin, \(shown): PageOptions.allowedOrigins can allow it")
        }
        // Before the client's own query items are added, which a server may omit.
        let isNew = visited.insert("\(page.base.scheme)://\(page.base.authority)\(page.target)").inserted
        let isForeign = target != origin || hasLeftOrigin
        if !isForeign {
            let query = QueryTarget(page.target)
            let missing = first.settings.configuration.query.items.filter { !query.has($0.name) }
            if !missing.isEmpty { page = try Self.absolute(resolved, as: url, query: missing) }
        }
        guard isNew else {
            throw PageError(
                .loop, next: url, message: "the URL of the next page was requested before: the pages are a loop")
        }
        let call = (isForeign ? first.with { $0.removeCredentials() } : first).afterFirstPage
        return call.describing { [page] description in
            description.absolute = page
            // For messages.
            (description.base, description.path) = (page.base.description, page.target)
            description.version = nil
            description.query = []
            description.method = .get
            description.body = .empty
            description.deferredBody = nil
            description.headers = description.headers.filter { name, _ in
                guard let name = HTTPField.Name(name) else { return !isForeign }
                return isForeign ? harmlessFields.contains(name) : !RedirectStateMachine.isAboutBody(name)
            }
        }
    }

    private static func absolute(
        _ resolved: String, as url: String, query: [QueryItem]
    ) throws(PageError) -> (base: BaseURL, target: String) {
        do {
            return try BaseURL.absolute(resolved, query: query, percent: .untouched)
        } catch {
            throw PageError(.invalidURL, next: url, message: "the URL of the next page is invalid: \(error)")
        }
    }
}

extension WebOrigin {
    fileprivate init?(_ base: BaseURL) { self.init("\(base.scheme)://\(base.authority)") }
}

/// The header fields that are about the first page only: conditions, ranges, and the key of one POST.
package enum PageFields {
    package static let ofFirstPage: Set<HTTPField.Name> = [
        .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange, .range, .idempotencyKey,
    ]
}

/// The only header fields of a request to another origin: none of them can hold a credential.
private let harmlessFields: Set<HTTPField.Name> = Set(
    ["Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "User-Agent"]
        .map { HTTPField.Name.known($0) })

extension APIClient.Configuration {
    /// Removes everything that only the first origin may receive.
    fileprivate mutating func removeCredentials() {
        allowsAuthentication = false
        authentication = nil
        cookies = nil
        query = QueryItems()
        tls = tls.forAnotherOrigin
        headers = headers.filter { name, _ in HTTPField.Name(name).map(harmlessFields.contains) ?? false }
        requestIDHeader = nil
        // The user's interceptors may add credentials to every request. This one is the last before the network.
        networkInterceptors.append(
            Interceptor { request, next in
                var request = request
                request.head.headerFields = request.head.headerFields.filtered { harmlessFields.contains($0) }
                request.options.tls = request.options.tls.forAnotherOrigin
                return try await next(request)
            })
    }
}

extension Call {
    /// Returns the same call with query items that replace those of the same names.
    func replacing(_ items: [QueryItem]) -> Call {
        let names = Set(items.map(\.name))
        // Other settings need a pipeline of their own.
        let isRepeated = settings.configuration.query.items.contains { names.contains($0.name) }
        let call = isRepeated ? with { $0.query.items.removeAll { names.contains($0.name) } } : self
        return call.describing { description in
            var path = QueryTarget(description.path)
            for name in names { path.remove(name) }
            description.path = path.text
            description.query.removeAll { names.contains($0.name) }
            description.query += items
        }
    }

    /// The same call without the header fields that it has for the first page only.
    fileprivate var afterFirstPage: Call {
        var names = PageFields.ofFirstPage
        if let key = settings.configuration.retry?.idempotencyKey, let name = HTTPField.Name(key.header) {
            names.insert(name)
        }
        return describing { [names] description in
            description.headers = description.headers.filter { name, _ in
                HTTPField.Name(name).map { !names.contains($0) } ?? true
            }
        }
    }

    /// Returns the same call with a change to its description.
    fileprivate func describing(_ change: @escaping @Sendable (inout CallDescription) -> Void) -> Call {
        var call = self
        let describe = describe
        call.describe = { settings throws(InvalidRequestError) in
            var description = try describe(settings)
            change(&description)
            return description
        }
        return call
    }
}
