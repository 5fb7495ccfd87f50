// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// Where a `Location` leads from the URL that it came from, and whether that is on the same origin.
struct UploadPlace: Sendable, Equatable {
    let url: String
    let isSameOrigin: Bool

    /// `nil` for what leads to no URL.
    init?(_ location: String, from base: String) {
        guard let from = try? URLParts(base, schemes: ["http", "https"]) else { return nil }
        let location = String(location.prefix { $0 != "#" })
        let text: String
        if (try? URLParts(location, schemes: ["http", "https"])) != nil {
            text = location
        } else if location.hasPrefix("//") {
            text = "\(from.scheme):\(location)"
        } else if location.hasPrefix("/") {
            text = "\(from.scheme)://\(from.authority)\(location)"
        } else if !location.isEmpty, !location.prefix(while: { $0 != "/" && $0 != "?" }).contains(":") {
            let path = String(Substring(from.path))
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            text = "\(from.scheme)://\(from.authority)\(folder)\(location)"
        } else {
            return nil
        }
        guard let to = try? URLParts(text, schemes: ["http", "https"]) else { return nil }
        url = text
        isSameOrigin = to.scheme == from.scheme && to.host == from.host && to.port == from.port
    }
}
