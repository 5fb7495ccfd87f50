// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCore
import SimorghSupport

/// The requests of one iteration over pages, one after the other.
struct PageFetcher<Body: Sendable, Item: Sendable>: Sendable {
    private enum State: Sendable {
        case idle
        case after(Page<Body, Item>)
        case ended
    }

    private let list: PageList<Body, Item>
    private let options: PageOptions
    private var state = State.idle
    private var guide: PageGuide

    init(_ list: PageList<Body, Item>, options: PageOptions) {
        self.list = list
        self.options = options
        guide = PageGuide(allowing: options.allowedOrigins)
    }

    /// True until the end of the list, or an error.
    var canContinue: Bool {
        if case .ended = state { false } else { true }
    }

    /// Requests the next page.
    ///
    /// Cursors are read from the body here, so not on the main actor.
    ///
    /// - Returns: The page; `nil` at the end, and after an error.
    /// - Throws: `NetworkError`.
    @concurrent
    mutating func next() async throws(NetworkError) -> Page<Body, Item>? {
        let last: Page<Body, Item>?
        switch state {
        case .idle: last = nil
        case .after(let page): last = page
        case .ended: return nil
        }
        state = .ended
        guard let call = try await call(after: last) else { return nil }
        let answer = try await call.execute(call.decoding.withResponse)
        guide.received(answer.response)
        var items = list.items(answer.value)
        let (before, limit) = (last?.itemCount ?? 0, max(0, options.maximumItems))
        let isTooLong = items.count > limit - before
        if isTooLong {
            guard options.endsAtLimit else { throw tooManyItems(in: answer.response) }
            items.removeLast(items.count - (limit - before))
        }
        let page = Page(
            number: (last?.number ?? 0) + 1, items: items, itemCount: before + items.count, body: answer.value,
            response: answer.response)
        if isTooLong { return page }
        state = .after(page)
        return page
    }

    /// Returns the call for the first page, or for the page after another one; `nil` at the end.
    private mutating func call(after last: Page<Body, Item>?) async throws(NetworkError) -> Call<Body>? {
        guard let last else {
            return list.pagination.first.isEmpty ? list.call : list.call.replacing(list.pagination.first)
        }
        let next: NextPage?
        do {
            next = try await list.pagination.next(last)
        } catch let error as PageError {
            throw NetworkError(error, after: last.response)
        } catch {
            throw NetworkError(
                error, method: last.response.method, url: last.response.url, limit: 0, attempts: last.response.attempts)
        }
        guard let next else { return nil }
        if last.number >= options.maximumPages {
            guard !options.endsAtLimit else { return nil }
            let message = "the list has more than \(options.maximumPages) pages: PageOptions.maximumPages"
            throw NetworkError(PageError(.tooManyPages, message: message), after: last.response)
        }
        if last.itemCount >= options.maximumItems {
            guard !options.endsAtLimit else { return nil }
            throw tooManyItems(in: last.response)
        }
        do throws(PageError) {
            return try guide.call(for: next, of: list.call, after: last.response)
        } catch {
            throw NetworkError(error, after: last.response)
        }
    }

    private func tooManyItems(in response: CollectedResponse) -> NetworkError {
        let message = "the list has more than \(options.maximumItems) items: PageOptions.maximumItems"
        return NetworkError(PageError(.tooManyItems, message: message), after: response)
    }
}

extension NetworkError {
    /// Creates the error for a page that was not requested.
    fileprivate init(_ error: PageError, after response: CollectedResponse) {
        let context = FailureContext(method: response.method, url: response.url, attempts: response.attempts)
        self = .responseError(ResponseError(error, context: context, response: response))
    }
}
