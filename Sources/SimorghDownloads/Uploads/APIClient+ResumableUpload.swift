// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore

extension APIClient {
    /// Uploads a file, and resumes an upload that was interrupted.
    ///
    /// After a lost connection or a response of a busy server it retries, up to ``ResumableUpload/retries`` times in a
    /// row. Cancelling the task pauses the upload: the same upload resumes it, in this process or another.
    ///
    /// - Parameters:
    ///   - upload: The upload.
    ///   - progress: Receives the progress, from the bytes that the server already has to the whole file; see
    ///     ``/SimorghCore/Call/uploadProgress(_:)``.
    /// - Returns: The server's response to the complete upload.
    /// - Throws: ``/SimorghCore/NetworkError``. An error of the store is the cause of a ``/SimorghCore/NetworkError/responseError(_:)``; if the
    ///   same upload is already in progress, ``/SimorghCore/NetworkError/invalidRequest(_:_:)``.
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
            let site = try await ResumableUploadRunner.Site(upload, client: self)
            return try await site.key.runExclusively {
                var transfer = try await ResumableUploadRunner(
                    upload, site: site, client: self, reporter: UploadProgressReporter(progress))
                return try await transfer.run()
            }
        } catch {
            throw NetworkError(error, method: "POST", url: upload.endpoint, limit: 0)
        }
    }

    /// Returns the events of a resumable upload: its progress, and finally the receipt.
    ///
    /// - Parameter upload: The upload.
    /// - Returns: The events. Leaving the loop pauses the upload.
    public func uploadEvents(_ upload: ResumableUpload) -> UploadEvents<ResumableUpload.Receipt> {
        UploadEvents { progress async throws(NetworkError) in try await self.run(upload, progress: progress) }
    }

    /// Terminates an upload: the server discards its bytes, and the local record is removed.
    ///
    /// If the server responds with 403, 404 or 410, it has nothing to discard or refuses to; the record is removed
    /// anyway.
    ///
    /// - Parameter upload: The upload. If it was never started, or is complete, this does nothing. Cancel a running
    ///   upload and wait for its end first.
    /// - Throws: ``/SimorghCore/NetworkError``. The record is kept in this case, so that the termination can be repeated.
    @concurrent
    public func terminate(_ upload: ResumableUpload) async throws {
        do {
            let site = try await ResumableUploadRunner.Site(upload, client: self)
            try await site.key.runExclusively { try await terminate(upload, at: site) }
        } catch {
            throw NetworkError(error, method: "DELETE", url: upload.endpoint, limit: 0)
        }
    }

    private func terminate(_ upload: ResumableUpload, at site: ResumableUploadRunner.Site) async throws {
        guard let record = try await upload.store.record(for: site.key.text) else { return }
        if ResumableUploadRunner.isAllowed(record.url, from: site.endpoint, upload: upload) {
            let headers = ResumableUploadProtocol(style: upload.style).plain
            let response = try await call(of: upload, method: .delete, url: record.url, headers: headers, body: .empty)
                .value()
            guard (200..<300).contains(response.statusCode) || [403, 404, 410].contains(response.statusCode)
            else {
                throw NetworkError.customError(response.statusCode, response)
            }
        }
        try await upload.store.remove(site.key.text)
    }
}

extension APIClient {
    /// Returns a request of an upload.
    ///
    /// If `url` is `nil`, it goes to the endpoint.
    func call(
        of upload: ResumableUpload,
        method: RequestMethod,
        url: String?,
        headers: [String: String],
        body: RequestBody
    ) -> Call<CollectedResponse> {
        // An absolute URL is used unchanged, independent of the client's base URL.
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
    /// Returns this policy without redirects that change the origin or drop the body: their response is the call's.
    fileprivate func keeping(_ method: RequestMethod) -> RedirectPolicy {
        var policy = self
        policy.decide = { [decide] proposal in
            guard !proposal.isCrossOrigin, proposal.redirection.method == method.rawValue else { return .stop }
            return try await decide?(proposal) ?? .follow
        }
        return policy
    }
}
