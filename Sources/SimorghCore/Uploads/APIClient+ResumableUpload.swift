// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension APIClient {
    /// Uploads a file so that it can go on where it stopped.
    ///
    /// A lost connection or a busy server is waited for, ``ResumableUpload/retries`` times in a row. Cancelling the task pauses:
    /// the same upload, of this process or another, goes on.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - progress: Told how far it has come, from what the server has already to the whole; see
    ///     ``Call/uploadProgress(_:)``.
    /// - Returns: What the server had to say when all was there.
    /// - Throws: ``NetworkError``; what the store throws is the cause of a ``NetworkError/responseError(_:)``, and the same upload
    ///   under way already is a ``NetworkError/invalidRequest(_:_:)``.
    @concurrent
    @discardableResult
    public func upload(
        _ upload: ResumableUpload, progress: @escaping @Sendable (_ progress: UploadProgress) -> Void = { _ in }
    ) async throws -> ResumableUpload.Receipt {
        try await run(upload, progress: progress)
    }

    @concurrent
    private func run(
        _ upload: ResumableUpload, progress: @escaping @Sendable (_ progress: UploadProgress) -> Void
    ) async throws(NetworkError) -> ResumableUpload.Receipt {
        do {
            let site = try await ResumableTransfer.Site(upload, self)
            return try await site.key.alone {
                var transfer = try await ResumableTransfer(upload, site, client: self, meter: UploadMeter(progress))
                return try await transfer.run()
            }
        } catch {
            throw NetworkError(error, method: "POST", url: upload.endpoint, limit: 0)
        }
    }

    /// The events of a resumable upload: progress, and at last the receipt.
    ///
    /// - Parameter upload: The upload.
    /// - Returns: The events; leaving the loop pauses the upload.
    public func uploadEvents(_ upload: ResumableUpload) -> UploadEvents<ResumableUpload.Receipt> {
        UploadEvents { progress async throws(NetworkError) in try await self.run(upload, progress: progress) }
    }

    /// Gives an upload up: the server is told to drop what it has, and nothing of it stays written down.
    ///
    /// A server that answers 403, 404 or 410 has nothing to drop, or will not: what is written down goes all the same.
    ///
    /// - Parameter upload: The upload; one that was never begun, or is complete, is nothing to give up. Cancel one that is under
    ///   way, and wait for its end, before.
    /// - Throws: ``NetworkError``; what is written down stays then, so that it can be tried again.
    @concurrent
    public func terminate(_ upload: ResumableUpload) async throws {
        do {
            let site = try await ResumableTransfer.Site(upload, self)
            try await site.key.alone { try await terminate(upload, site) }
        } catch {
            throw NetworkError(error, method: "DELETE", url: upload.endpoint, limit: 0)
        }
    }

    private func terminate(_ upload: ResumableUpload, _ site: ResumableTransfer.Site) async throws {
        guard let record = try await upload.store.record(for: site.key.text) else { return }
        if ResumableTransfer.isAllowed(record.url, from: site.endpoint, upload) {
            let headers = ResumableDialect(style: upload.style).plain
            let response = try await call(of: upload, .delete, record.url, headers, .empty).value()
            guard (200..<300).contains(response.statusCode) || [403, 404, 410].contains(response.statusCode)
            else {
                throw NetworkError.customError(response.statusCode, response)
            }
        }
        try await upload.store.remove(site.key.text)
    }
}

extension APIClient {
    /// A request of an upload; to its endpoint where `url` is `nil`.
    func call(
        of upload: ResumableUpload,
        _ method: RequestMethod,
        _ url: String?,
        _ headers: [String: String],
        _ body: RequestBody
    ) -> Call<CollectedResponse> {
        // A whole URL stands for itself, whatever the client's base URL is.
        let isWhole = ["http://", "https://"].contains { upload.endpoint.lowercased().hasPrefix($0) }
        let url = url ?? (isWhole ? upload.endpoint : nil)
        var description = CallDescription(method: method, path: url == nil ? upload.endpoint : "")
        if let url { description.base = url }
        description.headers = upload.headers.merging(headers) { $1 }
        description.body = body
        let client = upload.allowsOtherOrigins ? self : with { $0.redirects = $0.redirects.keeping(method) }
        return Call(client: client, decoding: .response) { [description] _ in description }.withoutTotalTimeout()
    }
}

extension RedirectPolicy {
    /// This policy, but for what leads to another origin, or would drop the body: such an answer is that of the call.
    fileprivate func keeping(_ method: RequestMethod) -> RedirectPolicy {
        var policy = self
        policy.decide = { [decide] proposal in
            guard !proposal.isCrossOrigin, proposal.redirection.method == method.rawValue else { return .stop }
            return try await decide?(proposal) ?? .follow
        }
        return policy
    }
}
