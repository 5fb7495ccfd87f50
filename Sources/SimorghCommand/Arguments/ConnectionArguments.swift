// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Command
package import ArgumentParser
import Simorgh

/// The arguments that configure the connection, with curl's names.
///
/// There is no argument to disable certificate verification: use `--cacert` to trust a private authority, or `--pin`
/// for a key. Neither trusts a man in the middle.
package struct ConnectionArguments: ParsableArguments {
    @OptionGroup package var trust: TrustArguments

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp(
            "The client certificate in PEM, with its private key unless --key is used, or in PKCS #12.",
            discussion: "Write a colon in the file name as \\:.", valueName: "file[:passphrase]"),
        completion: .file())
    package var certificate: String?

    @Option(
        help: ArgumentHelp(
            "The format of --cert. Default: P12 for names that end in .p12 or .pfx, otherwise PEM.",
            valueName: "PEM|P12"),
        completion: .list(["PEM", "P12"]))
    package var certType: String?

    @Option(
        name: .customLong("pass"), parsing: .unconditional,
        help: ArgumentHelp("The passphrase of --cert or --key.", valueName: "passphrase|@file"))
    package var passphrase: String?

    @Option(help: ArgumentHelp("The private key of --cert in PEM.", valueName: "file"), completion: .file())
    package var key: String?

    @Option(
        name: [.customLong("pin"), .customLong("pinnedpubkey")],
        help: ArgumentHelp(
            "The SHA-256 hash of the server's public key; repeat it for more.",
            discussion: "--verbose shows it with certificate 0. One argument may hold several, separated by ;.",
            valueName: "sha256//base64"))
    package var pins: [String] = []

    @Flag(name: .customLong("tlsv1.2"), help: "Use TLS 1.2 or newer, which is the default.")
    package var tls12 = false

    @Flag(name: .customLong("tlsv1.3"), help: "Use TLS 1.3 or newer.")
    package var tls13 = false

    @Option(
        name: .customLong("tls-max"), help: ArgumentHelp("The maximum TLS version.", valueName: "1.2|1.3"),
        completion: .list(["1.2", "1.3"]))
    package var maximumTLS: String?

    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Use this address for a host instead of DNS; repeat it for more.",
            discussion: "The host * is the default for all other hosts.", valueName: "host:port:address[,address]"))
    package var resolve: [String] = []

    @Option(
        name: [.customLong("doh"), .customLong("doh-url")],
        help: ArgumentHelp(
            "Resolve names with this DNS server over HTTPS.",
            discussion:
                "Its own name is resolved by the system. --cacert, --proxy and --interface apply to it, --pin does not.",
            valueName: "url"))
    package var dnsOverHTTPS: String?

    @Option(
        help: ArgumentHelp("Connect to this Unix socket instead of the host.", valueName: "path"), completion: .file())
    package var unixSocket: String?

    @Option(help: ArgumentHelp("The local address to connect from.", valueName: "address"))
    package var interface: String?

    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "The proxy: http, https, socks5 or socks5h. Default: the environment's.",
            discussion: "The variables are http_proxy, https_proxy, all_proxy and no_proxy; '' disables the proxy.",
            valueName: "url"))
    package var proxy: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The user name and password for --proxy.", valueName: "name:password|@file"))
    package var proxyUser: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The hosts that bypass the proxy, separated by commas; * for all.", valueName: "hosts"))
    package var noproxy: String?

    package init() {}

    /// Applies the arguments to a request.
    ///
    /// - Parameter request: The request.
    /// - Throws: ``CommandError`` that names the invalid argument.
    package func apply(to request: inout RequestDescription) throws(CommandError) {
        request.certificates = trust.certificates
        var connection = ConnectionDescription()
        if let certificate {
            let (file, passphrase) = Self.split(certificate)
            guard !file.isEmpty else { throw .usage("--cert takes FILE or FILE:PASSPHRASE") }
            connection.identity = .init(certificate: file, key: key, passphrase: passphrase)
            if let own = self.passphrase {
                guard passphrase == nil else { throw .usage("--cert FILE:PASSPHRASE and --pass: use only one") }
                connection.identity?.passphrase = try CredentialArgument.read(own, of: "--pass")
            }
            connection.identity?.isArchive = try isArchive(file)
            guard key == nil || connection.identity?.isArchive == false else {
                throw .usage("--key: the file of --cert has the key already")
            }
        } else if key != nil || passphrase != nil || certType != nil {
            throw .usage("--key, --pass and --cert-type require --cert FILE")
        }
        connection.pins = pins.flatMap { $0.split(separator: ";").map(String.init) }
        if let fault = connection.pinning?.fault { throw .usage("--pin: \(fault.message)") }
        if tls13 { connection.minimumTLS = .tls13 }
        switch maximumTLS {
        case nil, "1.3": break
        case "1.2": connection.maximumTLS = .tls12
        default: throw .usage("--tls-max takes 1.2 or 1.3")
        }
        guard !(tls13 && connection.maximumTLS == .tls12) else { throw .usage("--tlsv1.3 excludes --tls-max 1.2") }
        for text in resolve {
            let (hostAndPort, addresses) = try Self.override(text)
            connection.addresses[hostAndPort] = addresses
        }
        if let dnsOverHTTPS {
            do {
                _ = try DNSOverHTTPSResolver(url: dnsOverHTTPS)
            } catch {
                throw .usage("--doh: \(error)")
            }
            connection.dnsOverHTTPS = dnsOverHTTPS
        }
        connection.unixSocket = unixSocket
        connection.interface = interface
        connection.proxy = proxy
        connection.noProxy = noproxy
        if let proxyUser {
            guard proxy?.isEmpty == false else { throw .usage("--proxy-user requires --proxy URL") }
            connection.proxyUser = try CredentialArgument.read(proxyUser, of: "--proxy-user")
        }
        request.connection = connection
    }

    private func isArchive(_ file: String) throws(CommandError) -> Bool {
        switch certType?.uppercased() {
        case "P12": return true
        case "PEM": return false
        case nil: return [".p12", ".pfx"].contains { file.lowercased().hasSuffix($0) }
        default: throw .usage("--cert-type takes PEM or P12")
        }
    }

    private static func override(_ text: String) throws(CommandError) -> (String, [String]) {
        // curl's `+` prefix lets an entry time out after a minute; a single command does not run that long.
        let parts = text.drop { $0 == "+" }.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, !parts[0].hasPrefix("-"), let port = Int(parts[1]), (1...65535).contains(port) else {
            throw .usage("--resolve takes HOST:PORT:ADDRESS")
        }
        let addresses = parts[2].split(separator: ",").map { part in
            part.hasPrefix("[") && part.hasSuffix("]") ? String(part.dropFirst().dropLast()) : String(part)
        }
        for address in addresses {
            // The library would skip a text that is not an IP address, and resolve the host name by DNS.
            let host = address.contains(":") ? "[\(address)]" : address
            let isNumber = address.contains(":") || address.utf8.last.map { $0.isASCIIDigit } == true
            guard isNumber, (try? BaseURL("http://\(host)/")) != nil else {
                throw .usage("--resolve takes HOST:PORT:ADDRESS: \(DisplayText.oneLine(address)) is not an IP address")
            }
        }
        guard !addresses.isEmpty else { throw .usage("--resolve takes HOST:PORT:ADDRESS") }
        return ("\(parts[0].lowercased()):\(port)", addresses)
    }

    /// Returns the file and the passphrase, split at the first colon without a backslash before it.
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
