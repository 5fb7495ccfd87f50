// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Gets a path and decodes its JSON, from the application's cache where that has it.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - query: The query's fields.
    ///   - headers: Header fields; they win over the client's.
    ///   - cachingLevel: Where the answer is looked for, and kept once it has been decoded.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func get<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], cachingLevel: CachingLevel
    ) async throws -> Model {
        try await call(.get, path, query: query, headers: headers)
            .cached(cachingLevel, .answer, name: nil, as: .decodable(Model.self))
    }

    /// Gets bytes, from the application's cache where that has them.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - cacheName: What they are kept under; the URL by default.
    ///   - cachingLevel: Where they are looked for and kept; in memory and in a file by default.
    /// - Returns: The bytes.
    /// - Throws: ``/SimorghCore/NetworkError``; an answer that is no success is never kept.
    public func downloadData(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async throws -> Data {
        try await call(.get, path).cached(cachingLevel, .data, name: cacheName, as: .data)
    }

    /// The bytes that ``downloadData(_:cacheName:cachingLevel:)`` kept, without a request.
    ///
    /// Whose they are, the client's credentials tell, as they are: a token that is over is not renewed for this.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: What they are kept under; the URL by default.
    ///   - cachingLevel: Where they are looked for; in memory and in a file by default.
    /// - Returns: The bytes; `nil` where there are none, or no request could be made of the path. Those whose time is over
    ///   are none: ``/SimorghCompatibility/AppCacheConfiguration/staleFallback`` is for who has asked the server.
    public func dataFromCache(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async -> Data? {
        try? await call(.get, path).cached(cachingLevel, .data, name: cacheName, purpose: .lookUp, as: .data)
    }

    /// Gets an image, from the application's cache where that has it.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL where the client has none.
    ///   - cacheName: What it is kept under; the URL by default. Images and data are kept apart.
    ///   - cachingLevel: Where it is looked for and kept; in memory and in a file by default.
    /// - Returns: The image.
    /// - Throws: ``/SimorghCore/NetworkError``; an answer that is no success, or no image, is never kept.
    public func downloadImage(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async throws -> NetworkImage {
        try await call(.get, path).cached(cachingLevel, .image, name: cacheName, as: .image)
    }

    /// The image that ``downloadImage(_:cacheName:cachingLevel:)`` kept, without a request.
    ///
    /// Whose it is, the client's credentials tell, as they are: a token that is over is not renewed for this.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: What it is kept under; the URL by default.
    ///   - cachingLevel: Where it is looked for; in memory and in a file by default.
    /// - Returns: The image; `nil` where there is none, or no request could be made of the path. One whose time is over is
    ///   none: ``/SimorghCompatibility/AppCacheConfiguration/staleFallback`` is for who has asked the server.
    public func imageFromCache(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async -> NetworkImage? {
        try? await call(.get, path).cached(cachingLevel, .image, name: cacheName, purpose: .lookUp, as: .image)
    }

    /// The file in which ``downloadData(_:cacheName:cachingLevel:)`` keeps its bytes, whether it is there or not.
    ///
    /// The name tells nothing of the URL, and the bytes stand in the file in the cache's own form, with checksums, and
    /// encrypted where that was asked for: ``dataFromCache(_:cacheName:cachingLevel:)`` reads them.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: What they are kept under; the URL by default.
    /// - Returns: The file; `nil` where the cache has no folder, or no request could be made of the path.
    public func destinationURL(for path: String, cacheName: String? = nil) async -> URL? {
        await file(.data, path, cacheName)
    }

    /// The file in which ``downloadImage(_:cacheName:cachingLevel:)`` keeps its image, whether it is there or not.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: What it is kept under; the URL by default.
    /// - Returns: The file; `nil` where the cache has no folder, or no request could be made of the path.
    public func imageDestinationURL(for path: String, cacheName: String? = nil) async -> URL? {
        await file(.image, path, cacheName)
    }

    private func file(_ kind: AppCacheKey.Kind, _ path: String, _ name: String?) async -> URL? {
        let ticket = AppCacheTicket(appCache, .memoryAndFile, kind, name: name, purpose: .locate)
        let call = call(.get, path).with { $0.appCacheTicket = ticket }
        // Asked as it is when it is fetched: what is accepted is part of the key.
        switch kind {
        case .image: _ = try? await call.decoding(.image).response()
        default: _ = try? await call.decoding(.data).response()
        }
        guard let key = ticket.entry?.key else { return nil }
        return await appCache.file(key).map { URL(filePath: $0) }
    }

    /// Changes for how long the application's cache uses what it has; 7 days by default.
    ///
    /// - Parameter timeToLive: How long.
    public func setCacheTTL(_ timeToLive: Duration) { appCache.setTimeToLive(timeToLive) }

    /// Empties the application's cache, in memory and on the disk.
    public func clearCache() async { await appCache.removeAll() }

    /// Cancels every call that is running now, and empties the application's cache and the client's own.
    public func reset() async {
        cancelAllRequests()
        configuration.caching.httpCache?.cancelRefreshes()
        await appCache.removeAll()
        await configuration.caching.httpCache?.removeAll()
    }

    private var appCache: AppCache { settings.configuration.appCache ?? .shared }
}

extension Call {
    /// Makes the call with a way into the application's cache, and keeps its answer once that has been read.
    @concurrent
    fileprivate func cached<Value: Sendable>(
        _ level: CachingLevel, _ kind: AppCacheKey.Kind, name: String?, purpose: AppCacheTicket.Purpose = .answer,
        as decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let ticket = AppCacheTicket(
            settings.configuration.appCache ?? .shared, level, kind, name: name, purpose: purpose)
        let answer = try await with { $0.appCacheTicket = ticket }.execute(decoding.withResponse)
        if let entry = ticket.entry, !entry.isHit {
            let response = answer.response
            await ticket.cache.keep(
                entry.key, level, status: response.statusCode, fields: response.headers, body: response.body,
                since: entry.moment, for: entry.request)
        }
        return answer.value
    }
}
