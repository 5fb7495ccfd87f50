// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads a file of certificates.
enum CertificateFile {
    private static let maximumBytes = 4 * 1024 * 1024

    static func read(_ path: String) throws(CommandFailure) -> String {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .usage("--cacert \(path): \(String(cString: strerror(errno)))") }
        guard status.st_size <= maximumBytes else {
            throw .usage("--cacert \(path): no such file is larger than 4 MiB")
        }
        guard let bytes = try? Data(contentsOf: URL(filePath: path)),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw .usage("--cacert \(path): the file cannot be read as text") }
        guard text.contains("-----BEGIN CERTIFICATE-----") else {
            throw .usage("--cacert \(path): there is no certificate in PEM in it")
        }
        return text
    }
}
