// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird
import NIOCore

extension Router<BasicRequestContext> {
    /// The browser's file is written to a file here; what goes on from there is the tab's.
    func addUpload(_ desk: Desk) {
        post("api/upload") { request, _ in
            let name = String((request.asked("name") ?? "file").suffix(200))
            let file = desk.folder.appendingPathComponent("upload-\(UUID().uuidString)")
            guard FileManager.default.createFile(atPath: file.path, contents: nil),
                let handle = FileHandle(forWritingAtPath: file.path)
            else { throw HTTPError(.init(code: 507)) }
            var count = 0
            do {
                for try await chunk in request.body {
                    count += chunk.readableBytes
                    guard count <= 256 * 1024 * 1024 else { throw HTTPError(.contentTooLarge) }
                    try handle.write(contentsOf: Data(chunk.readableBytesView))
                }
                try handle.close()
            } catch {
                try? handle.close()
                try? FileManager.default.removeItem(at: file)
                throw error
            }
            let base = desk.base(request.asked("base"))
            let note = request.asked("note") ?? ""
            let steps = desk.upload.upload(file, named: name, note: note, to: base)
            return Response.events(for: nil) {
                feed { send in
                    defer { try? FileManager.default.removeItem(at: file) }
                    for try await step in steps { send(step) }
                }
            }
        }
    }
}
