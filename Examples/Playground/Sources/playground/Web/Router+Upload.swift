// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation
import Hummingbird

extension Router<BasicRequestContext> {
    /// The browser's file is first stored in a file, which the tab then uploads.
    func addUpload(_ backend: PlaygroundBackend) {
        post("api/upload") { request, _ in
            let parcel = try await backend.uploads.receive(request)
            let name = String((request.asked("name") ?? "file").suffix(200))
            let base = backend.base(request.asked("base"))
            let note = request.asked("note") ?? ""
            return Response.events(for: nil) {
                feed { (send: @Sendable (UploadTab.Step) -> Void) in
                    // Keeps the file until the upload ends.
                    defer { withExtendedLifetime(parcel) {} }
                    for try await step in backend.upload.upload(parcel.file, named: name, note: note, to: base) {
                        send(step)
                    }
                }
            }
        }
    }
}
