// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import NIOCore

/// The context of the page's requests.
typealias Context = BasicRequestContext

extension Router<BasicRequestContext> {
    /// Creates the router of the page, its files, and the API behind each tab.
    static func playground(_ backend: PlaygroundBackend) -> Router<Context> {
        let router = Router(context: Context.self, options: .autoGenerateHeadEndpoints)
        router.addFiles(framing: backend.inspector.map { "http://127.0.0.1:\($0.port)" } ?? "")
        router.get("api/settings") { _, _ in
            try Response.json([
                "world": backend.world.url, "sockets": backend.world.socketURL,
                "files": SampleFile.all.map(\.name).joined(separator: " "), "largest": "\(UploadStorage.largest)",
                "inspector": backend.inspector?.url ?? "",
            ])
        }
        router.get("api/code/{tab}") { _, context in
            let known = ["Posts", "Realtime", "Subscription", "Downloads", "Upload", "Stream", "Network"]
            let tab = try context.parameters.require("tab")
            guard known.contains(tab) else { throw HTTPError(.notFound) }
            return try Response.json(["code": PlaygroundBackend.code(of: tab)])
        }
        router.addPosts(backend)
        router.addRealtime(backend)
        router.addStreams(backend)
        router.addDownloads(backend)
        router.addUpload(backend)
        return router
    }

    /// - Parameter origin: The origin of the inspector, which the page shows in a frame.
    private func addFiles(framing origin: String) {
        for (path, file, type) in [
            ("", "index.html", "text/html; charset=utf-8"), ("app.css", "app.css", "text/css; charset=utf-8"),
            ("app.js", "app.js", "text/javascript; charset=utf-8"),
            ("common.js", "common.js", "text/javascript; charset=utf-8"),
            ("traffic.js", "traffic.js", "text/javascript; charset=utf-8"),
        ] {
            get(RouterPath(path)) { _, _ in
                guard let url = Bundle.module.url(forResource: file, withExtension: nil, subdirectory: "Public"),
                    let bytes = try? Data(contentsOf: url)
                else { throw HTTPError(.notFound) }
                return Response(
                    status: .ok,
                    headers: [
                        .contentType: type, .cacheControl: "no-store",
                        .contentSecurityPolicy:
                            "default-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
                            + "frame-src 'self' \(origin); frame-ancestors 'none'",
                    ],
                    body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
            }
        }
    }
}

extension Request {
    /// Returns the decoded value of a query parameter.
    func asked(_ name: String) -> String? {
        uri.queryParameters.get(name)
    }
}

extension Router<BasicRequestContext> {
    fileprivate func addPosts(_ backend: PlaygroundBackend) {
        get("api/posts") { request, _ in
            do {
                let strategy = PostsTab.strategy(request.asked("strategy") ?? "")
                return try Response.json(
                    try await backend.posts.list(from: backend.base(request.asked("base")), strategy: strategy))
            } catch {
                return try Response.failure(error)
            }
        }
        post("api/posts") { request, context in
            let draft = try await request.decode(as: CreatePost.Draft.self, context: context)
            do {
                return try Response.json(
                    try await backend.posts.create(draft, at: backend.base(request.asked("base"))), status: .created)
            } catch {
                return try Response.failure(error)
            }
        }
    }

    fileprivate func addStreams(_ backend: PlaygroundBackend) {
        get("api/stream/lines") { request, _ in
            let base = backend.base(request.asked("base"))
            return Response.events(for: request) { backend.stream.lines(from: base) }
        }
        get("api/stream/events") { request, _ in
            let base = backend.base(request.asked("base"))
            return Response.events(for: request) { backend.stream.events(from: base) }
        }
        get("api/trades/{symbol}") { request, context in
            let symbol = try context.parameters.require("symbol")
            let base = backend.socketBase(request.asked("base"))
            return Response.events(for: request) { backend.subscription.trades(of: symbol, from: base) }
        }
        get("api/network") { request, _ in Response.events(for: request) { backend.network.statuses() } }
    }
}
