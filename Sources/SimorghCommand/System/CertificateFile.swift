// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
/// Reads a file of CA certificates.
enum CertificateFile {
    static func read(_ path: String) throws(CommandError) -> String {
        let text = try TextFile.read(path, of: "--cacert", upTo: 4 * 1024 * 1024)
        guard text.contains("-----BEGIN CERTIFICATE-----") else {
            throw .usage("--cacert \(path): the file contains no PEM certificate")
        }
        return text
    }
}
#endif
