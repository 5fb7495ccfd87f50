// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh post URL`.
package struct PostCommand: RequestCommand {
    package static let method = RequestMethod.post
    package static let configuration = describe(
        "Posts a body to a URL.",
        examples: [
            #"post api.example.com/users --json '{"name": "Zal"}'"#,
            "post api.example.com/photos -F title=Birds -F file=@birds.jpg",
            "post api.example.com/import --data @- <lines.ndjson",
        ])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
