// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

public import SimorghCore
import SimorghSupport

extension APIClient {
    /// Gets a path and decodes its JSON, or returns the value from the application cache if it has one.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL if the client has no base URL.
    ///   - query: The query items.
    ///   - headers: Header fields; they override the client's.
    ///   - cachingLevel: The tiers to search, and to store the response in once it has been decoded.
    /// - Returns: The value.
    /// - Throws: ``/SimorghCore/NetworkError``.
    public func get<Model: Decodable & Sendable>(
        _ path: String, query: QueryItems = QueryItems(), headers: [String: String] = [:], cachingLevel: CachingLevel
    ) async throws -> Model {
        try await call(.get, path, query: query, headers: headers)
            .cached(cachingLevel, kind: .answer, name: nil, as: .decodable(Model.self))
    }

    /// Gets the bytes of a path, or returns them from the application cache if it has them.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL if the client has no base URL.
    ///   - cacheName: The cache key. Default: the URL.
    ///   - cachingLevel: The tiers to search and to store in. Default: memory and file.
    /// - Returns: The bytes.
    /// - Throws: ``/SimorghCore/NetworkError``; an unsuccessful response is never stored.
    public func downloadData(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async throws -> Data {
        try await call(.get, path).cached(cachingLevel, kind: .data, name: cacheName, as: .data)
    }

    /// Returns the bytes that ``downloadData(_:cacheName:cachingLevel:)`` stored, without sending a request.
    ///
    /// The client's current credentials select the cache partition; an expired token is not refreshed for this.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: The cache key. Default: the URL.
    ///   - cachingLevel: The tiers to search. Default: memory and file.
    /// - Returns: The bytes; `nil` if they are missing or have expired, or if the path does not make a valid
    ///   request. The ``/SimorghCompatibility/AppCacheConfiguration/staleFallback`` does not apply, because no server
    ///   was asked.
    public func dataFromCache(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async -> Data? {
        try? await call(.get, path).cached(cachingLevel, kind: .data, name: cacheName, purpose: .lookUp, as: .data)
    }

    /// Gets an image, or returns it from the application cache if it has one.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL; a whole URL if the client has no base URL.
    ///   - cacheName: The cache key. Default: the URL. Images and data have separate keys.
    ///   - cachingLevel: The tiers to search and to store in. Default: memory and file.
    /// - Returns: The image.
    /// - Throws: ``/SimorghCore/NetworkError``; an unsuccessful response, or one that is not an image, is never stored.
    public func downloadImage(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async throws -> NetworkImage {
        try await call(.get, path).cached(cachingLevel, kind: .image, name: cacheName, as: .image)
    }

    /// Returns the image that ``downloadImage(_:cacheName:cachingLevel:)`` stored, without sending a request.
    ///
    /// The client's current credentials select the cache partition; an expired token is not refreshed for this.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: The cache key. Default: the URL.
    ///   - cachingLevel: The tiers to search. Default: memory and file.
    /// - Returns: The image; `nil` if it is missing or has expired, or if the path does not make a valid request.
    ///   The ``/SimorghCompatibility/AppCacheConfiguration/staleFallback`` does not apply, because no server was asked.
    public func imageFromCache(
        _ path: String, cacheName: String? = nil, cachingLevel: CachingLevel = .memoryAndFile
    ) async -> NetworkImage? {
        try? await call(.get, path).cached(cachingLevel, kind: .image, name: cacheName, purpose: .lookUp, as: .image)
    }

    /// Returns the file in which ``downloadData(_:cacheName:cachingLevel:)`` stores its bytes, even if it does not
    /// exist yet.
    ///
    /// The file name does not reveal the URL. The file has the cache's own format with checksums, and is encrypted if
    /// the cache has an encryption key: read it with ``dataFromCache(_:cacheName:cachingLevel:)``.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: The cache key. Default: the URL.
    /// - Returns: The file; `nil` if the cache has no folder, or if the path does not make a valid request.
    public func destinationURL(for path: String, cacheName: String? = nil) async -> URL? {
        await file(.data, path: path, name: cacheName)
    }

    /// Returns the file in which ``downloadImage(_:cacheName:cachingLevel:)`` stores its image, even if it does not
    /// exist yet.
    ///
    /// - Parameters:
    ///   - path: The path below the base URL.
    ///   - cacheName: The cache key. Default: the URL.
    /// - Returns: The file; `nil` if the cache has no folder, or if the path does not make a valid request.
    public func imageDestinationURL(for path: String, cacheName: String? = nil) async -> URL? {
        await file(.image, path: path, name: cacheName)
    }

    private func file(_ kind: AppCacheKey.Kind, path: String, name: String?) async -> URL? {
        let ticket = AppCacheTicket(appCache, level: .memoryAndFile, kind: kind, name: name, purpose: .locate)
        let call = call(.get, path).with { $0.appCacheTicket = ticket }
        // The same decoding as for the download: the `Accept` header is part of the key.
        switch kind {
        case .image: _ = try? await call.decoding(.image).response()
        default: _ = try? await call.decoding(.data).response()
        }
        guard let key = ticket.entry?.key else { return nil }
        return await appCache.file(key).map { URL(filePath: $0) }
    }

    /// Changes the time to live of the application cache's entries.
    ///
    /// - Parameter timeToLive: The time to live. Default: 7 days.
    public func setCacheTTL(_ timeToLive: Duration) { appCache.setTimeToLive(timeToLive) }

    /// Empties the application cache, in memory and on disk.
    public func clearCache() async { await appCache.removeAll() }

    /// Cancels every running call, and empties both the application cache and the client's HTTP cache.
    public func reset() async {
        cancelAllRequests()
        configuration.caching.httpCache?.cancelRefreshes()
        await appCache.removeAll()
        await configuration.caching.httpCache?.removeAll()
    }

    private var appCache: AppCache { settings.configuration.appCache ?? .shared }
}

extension Call {
    /// Makes the call with an application cache ticket, and stores the response once it has been decoded.
    @concurrent
    fileprivate func cached<Value: Sendable>(
        _ level: CachingLevel, kind: AppCacheKey.Kind, name: String?, purpose: AppCacheTicket.Purpose = .answer,
        as decoding: ResponseDecoding<Value>
    ) async throws(NetworkError) -> Value {
        let ticket = AppCacheTicket(
            settings.configuration.appCache ?? .shared, level: level, kind: kind, name: name, purpose: purpose)
        let answer = try await with { $0.appCacheTicket = ticket }.execute(decoding.withResponse)
        if let entry = ticket.entry, !entry.isHit {
            let response = answer.response
            await ticket.cache.store(
                entry.key, level: level, status: response.statusCode, fields: response.headers, body: response.body,
                since: entry.moment, for: entry.request)
        }
        return answer.value
    }
}
