// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// The files of the page, which the build embeds in the program.
package enum InspectorPage {
    /// A file of the page.
    package struct File: Sendable {
        package let bytes: Data
        package let type: String
    }

    /// Returns the file with a name, which is empty for the page itself; `nil` for another name.
    package static func file(_ name: String) -> File? {
        switch name {
        case "": File(bytes: Data(PackageResources.index_html), type: "text/html; charset=utf-8")
        case "inspector.css": File(bytes: Data(PackageResources.inspector_css), type: "text/css; charset=utf-8")
        case "inspector.js": script(PackageResources.inspector_js)
        case "list.js": script(PackageResources.list_js)
        case "detail.js": script(PackageResources.detail_js)
        case "common.js": script(PackageResources.common_js)
        default: nil
        }
    }

    private static func script(_ bytes: [UInt8]) -> File {
        File(bytes: Data(bytes), type: "text/javascript; charset=utf-8")
    }
}
