// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import HTTPTypes
import Hummingbird

extension Router<BasicRequestContext> {
    private struct Order: Decodable {
        let urls: [String]
        let priority: String
    }

    func addDownloads(_ backend: PlaygroundBackend) {
        get("api/downloads") { request, _ in Response.events(for: request) { await backend.downloads.rows() } }
        post("api/downloads") { request, context in
            let order = try await request.decode(as: Order.self, context: context)
            let ids = await backend.downloads.add(
                order.urls.compactMap { URL(string: $0) }, priority: DownloadsTab.priority(order.priority))
            return try Response.json(ids)
        }
        post("api/downloads/restart") { _, _ in
            do {
                try await backend.downloads.restart()
                return try Response.json(["message": "done"])
            } catch {
                return try Response.failure(error)
            }
        }
        post("api/downloads/clear") { _, _ in
            await backend.downloads.removeCompleted()
            return try Response.json(["message": "done"])
        }
        post("api/downloads/{id}/{action}") { _, context in
            let id = try context.parameters.require("id", as: UUID.self)
            do {
                switch try context.parameters.require("action") {
                case "pause": await backend.downloads.pause(id)
                case "resume": try await backend.downloads.resume(id)
                case "cancel": await backend.downloads.cancel(id)
                default: throw HTTPError(.notFound)
                }
                return try Response.json(["message": "done"])
            } catch let error as HTTPError {
                throw error
            } catch {
                return try Response.failure(error)
            }
        }
        get("api/downloads/{id}/file") { request, context in
            let id = try context.parameters.require("id", as: UUID.self)
            guard let url = await backend.downloads.file(id) else {
                throw HTTPError(.notFound, message: "the file is not there")
            }
            let types = [
                "pdf": "application/pdf", "mp4": "video/mp4", "mp3": "audio/mpeg", "png": "image/png",
                "gif": "image/gif", "svg": "image/svg+xml", "zip": "application/zip",
            ]
            var headers: HTTPFields = [
                .contentType: types[url.pathExtension] ?? "application/octet-stream",
                .contentDisposition: "inline",
                // Prevents the browser from treating a downloaded file as a page of the Playground.
                .xContentTypeOptions: "nosniff",
            ]
            // An SVG may contain a script: it is sandboxed, so it does not run with the Playground's origin.
            if url.pathExtension == "svg" { headers[.contentSecurityPolicy] = "default-src 'none'; sandbox" }
            return try await Response.file(url, named: id.uuidString, fields: headers, to: request, context: context)
        }
    }
}
