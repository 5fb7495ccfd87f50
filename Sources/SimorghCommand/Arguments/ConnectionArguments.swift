// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments about how a connection is made, as curl calls them.
///
/// There is none to leave out the verification: `--cacert` trusts a private authority, `--pin` a key, and neither trusts
/// whoever is in between.
package struct ConnectionArguments: ParsableArguments {
    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp(
            "The client's certificate in PEM, and its key unless --key names that.",
            discussion: "A colon in the file's name is written as \\:.", valueName: "file[:passphrase]"),
        completion: .file())
    package var certificate: String?

    @Option(help: ArgumentHelp("The key of --cert in PEM.", valueName: "file"), completion: .file())
    package var key: String?

    @Option(
        name: [.customLong("pin"), .customLong("pinnedpubkey")],
        help: ArgumentHelp(
            "The SHA-256 of the public key that the server has to have; repeat it for more.",
            discussion: "--verbose shows it with certificate 0. Several may be one argument, with ; between them.",
            valueName: "sha256//base64"))
    package var pins: [String] = []

    @Flag(name: .customLong("tlsv1.2"), help: "Speak TLS 1.2 or newer, as it is by default.")
    package var tls12 = false

    @Flag(name: .customLong("tlsv1.3"), help: "Speak TLS 1.3 or newer.")
    package var tls13 = false

    @Option(
        name: .customLong("tls-max"), help: ArgumentHelp("The newest version to speak.", valueName: "1.2|1.3"),
        completion: .list(["1.2", "1.3"]))
    package var newestTLS: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "An address for a host, in place of what its name says; repeat it for more.",
            discussion: "* stands for every host that has none of its own.", valueName: "host:port:address[,address]"))
    package var resolve: [String] = []

    @Option(
        help: ArgumentHelp("Connect to this Unix socket, whatever the host.", valueName: "path"), completion: .file())
    package var unixSocket: String?

    @Option(help: ArgumentHelp("Connect from this address of this machine.", valueName: "address"))
    package var interface: String?

    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "The proxy: http, https, socks5 or socks5h; that of the environment by default.",
            discussion: "The variables are http_proxy, https_proxy, all_proxy and no_proxy; '' is no proxy.",
            valueName: "url"))
    package var proxy: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The user's name and password for --proxy.", valueName: "name:password|@file"))
    package var proxyUser: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The hosts that are reached without the proxy, with commas; * for all.", valueName: "hosts"))
    package var noproxy: String?

    package init() {}

    /// Puts what the arguments say into a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``CommandFailure`` that says which argument is wrong.
    package func apply(to request: inout RequestDescription) throws(CommandFailure) {
        var connection = ConnectionDescription()
        if let certificate {
            let (file, passphrase) = Self.split(certificate)
            guard !file.isEmpty else { throw .usage("--cert takes FILE or FILE:PASSPHRASE") }
            connection.identity = .init(certificate: file, key: key, passphrase: passphrase)
        } else if key != nil {
            throw .usage("--key belongs to --cert FILE")
        }
        connection.pins = pins.flatMap { $0.split(separator: ";").map(String.init) }
        if let fault = connection.pinning?.fault { throw .usage("--pin: \(fault.message)") }
        if tls13 { connection.oldestTLS = .tls13 }
        switch newestTLS {
        case nil, "1.3": break
        case "1.2": connection.newestTLS = .tls12
        default: throw .usage("--tls-max takes 1.2 or 1.3")
        }
        guard !(tls13 && connection.newestTLS == .tls12) else { throw .usage("--tlsv1.3 and --tls-max 1.2 leave none") }
        for text in resolve {
            let (place, addresses) = try Self.override(text)
            connection.addresses[place] = addresses
        }
        connection.unixSocket = unixSocket
        connection.interface = interface
        connection.proxy = proxy
        connection.noProxy = noproxy
        if let proxyUser {
            guard proxy?.isEmpty == false else { throw .usage("--proxy-user belongs to --proxy URL") }
            connection.proxyUser = try SecretText.read(proxyUser, of: "--proxy-user")
        }
        request.connection = connection
    }

    private static func override(_ text: String) throws(CommandFailure) -> (String, [String]) {
        // What curl is to forget after a minute, one command does not outlive.
        let parts = text.drop { $0 == "+" }.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, !parts[0].hasPrefix("-"), let port = Int(parts[1]), (1...65535).contains(port) else {
            throw .usage("--resolve takes HOST:PORT:ADDRESS")
        }
        let addresses = parts[2].split(separator: ",").map { part in
            part.hasPrefix("[") && part.hasSuffix("]") ? String(part.dropFirst().dropLast()) : String(part)
        }
        for address in addresses {
            // What is not written as one of the two kinds of addresses would be left out, and the name be asked for.
            let host = address.contains(":") ? "[\(address)]" : address
            let isNumber = address.contains(":") || address.utf8.last.map { $0.isASCIIDigit } == true
            guard isNumber, (try? BaseURL("http://\(host)/")) != nil else {
                throw .usage("--resolve takes HOST:PORT:ADDRESS, and \(DisplayText.oneLine(address)) is no address")
            }
        }
        guard !addresses.isEmpty else { throw .usage("--resolve takes HOST:PORT:ADDRESS") }
        return ("\(parts[0].lowercased()):\(port)", addresses)
    }

    /// The file and the passphrase, at the first colon that has no backslash before it.
    private static func split(_ text: String) -> (file: String, passphrase: String?) {
        var file = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "\\", let next = rest.first, next == ":" || next == "\\" {
                file.append(next)
                rest.removeFirst()
            } else if character == ":" {
                return (file, String(rest))
            } else {
                file.append(character)
            }
        }
        return (file, nil)
    }
}
#endif
