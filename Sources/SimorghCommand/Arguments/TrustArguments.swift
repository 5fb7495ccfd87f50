// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser

/// The argument that selects the trusted certificate authorities.
package struct TrustArguments: ParsableArguments {
    @Option(
        name: .customLong("cacert"),
        help: ArgumentHelp("CA certificates in PEM to trust instead of the system's.", valueName: "file"),
        completion: .file())
    package var certificates: String?

    package init() {}
}
#endif
