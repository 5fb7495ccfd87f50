// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghREST
import SimorghSupport

extension FuzzTarget {
    /// DNS messages: an accepted answer has addresses of the family that was asked for, and the fields that the reader
    /// ignores do not change it.
    static let dnsAnswer = FuzzTarget(name: "dns-answer") { bytes in
        let isIPv6 = bytes.below(2) == 1
        guard let name = DNSName("www.example.com") else { preconditionFailure("the name is invalid") }
        let question = DNSQuestion(name, type: isIPv6 ? .aaaa : .a)
        var message = bytes.rest
        guard let answer = try? DNSAnswer(message, to: question) else { return }
        precondition(answer.addresses.allSatisfy { $0.isIPv6 == isIPv6 }, "an address of another family")
        precondition(answer.addresses.count <= message.count / 16, "more addresses than records fit")
        precondition(!answer.isNonexistent || answer.addresses.isEmpty, "a name that does not exist has addresses")
        // AA, RD, RA, Z, AD and CD, and the number of additional records.
        message[2] ^= 0x05
        message[3] ^= 0xF0
        message[11] ^= 0xFF
        precondition((try? DNSAnswer(message, to: question)) == answer, "a field without meaning changes the answer")
    }

    /// `Strict-Transport-Security`: the age is within its limits, and a field in another case means the same.
    static let hsts = FuzzTarget(name: "hsts") { bytes in
        let text = bytes.text
        let store = HSTSStore(maximumHosts: 3)
        store.receive(text, from: "a.example")
        precondition(store.hosts.count <= 1 && !store.requiresHTTPS("b.example") && !store.requiresHTTPS("example"))
        guard let field = HSTSField(text) else { return precondition(store.hosts.isEmpty, "an invalid field counts") }
        precondition((0...HSTSField.longestAge).contains(field.maximumAge))
        precondition(store.hosts.isEmpty == (field.maximumAge == 0))
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return }
        precondition(HSTSField(text.uppercased()) == field && HSTSField(text.lowercased()) == field, "case matters")
    }

    /// `.netrc` files: read within their limits, and a written entry is read back.
    static let netrc = FuzzTarget(name: "netrc") { bytes in
        let text = bytes.text
        guard let netrc = try? Netrc(text) else { return }
        func quoted(_ text: String) -> String {
            let escapes: [Character: String] = [
                "\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\r\n": "\\r\\n",
            ]
            return "\"\(text.map { escapes[$0] ?? String($0) }.joined())\""
        }
        var written = ""
        for machine in netrc.machines {
            written += "machine \(quoted(machine.name ?? ""))"
            if let login = machine.login { written += " login \(quoted(login))" }
            if let password = machine.password { written += "\npassword \(quoted(password))" }
            if let account = machine.account { written += " account \(quoted(account))" }
            written += "\n"
        }
        guard written.utf8.count < 1024 * 1024 else { return }
        precondition((try? Netrc(written))?.machines == netrc.machines, "a written entry is not read back")
        for machine in netrc.machines {
            if let name = machine.name { precondition(netrc.machine(for: name)?.name == name) }
        }
    }
}
