// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
package import Simorgh

/// `simorgh put URL`.
package struct PutCommand: RequestCommand {
    package static let method = RequestMethod.put
    package static let configuration = describe(
        "Replaces the resource at a URL.",
        examples: ["put api.example.com/users/7 --json @user.json"])

    @OptionGroup package var arguments: RequestArguments

    package init() {}
}
#endif
