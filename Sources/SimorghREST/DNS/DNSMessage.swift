// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghSupport

/// A question for the addresses of a name, and the reader of its answer (RFC 1035).
package struct DNSQuestion: Sendable, Hashable {
    /// A type of record that is asked for.
    package enum RecordType: UInt16, Sendable, Hashable {
        /// An IPv4 address.
        case a = 1
        /// An IPv6 address (RFC 3596).
        case aaaa = 28

        var addressBytes: Int { self == .a ? 4 : 16 }
    }

    package let name: DNSName
    package let type: RecordType

    package init(_ name: DNSName, type: RecordType) {
        self.name = name
        self.type = type
    }

    /// The query: the identifier is 0, so that equal questions are equal requests (RFC 8484, section 4.1), and recursion
    /// is desired.
    package var query: [UInt8] {
        [0, 0, 0x01, 0, 0, 1, 0, 0, 0, 0, 0, 0] + name.bytes + [0, UInt8(type.rawValue), 0, 1]
    }
}

/// A reason why a message is not an answer to a question.
package enum DNSMessageError: Error, Sendable, Hashable {
    /// The message does not follow RFC 1035; with a description.
    case malformed(String)
    /// The message answers another question, or is not an answer.
    case unrelated(String)
    /// The server shortened the message (the bit TC).
    case truncated
    /// The server failed, with its response code: 2 for SERVFAIL, 5 for REFUSED.
    case failed(Int)
}

/// The answer to a question.
package struct DNSAnswer: Sendable, Hashable {
    /// The addresses; empty if the name has none of this family.
    package let addresses: [NumericAddress]
    /// True if the name does not exist (NXDOMAIN).
    package let isNonexistent: Bool
    /// The time for which the answer may be kept, in seconds: the smallest of all records that lead to it.
    package let timeToLive: UInt32

    /// The largest message over HTTPS, in bytes.
    package static let maximumBytes = 65_535
    /// The largest number of aliases between the name and its addresses.
    package static let maximumAliases = 16
    /// The largest number of addresses that are kept; further ones are ignored.
    package static let maximumAddresses = 256
    private static let (cname, soa, internet): (UInt16, UInt16, UInt16) = (5, 6, 1)

    private struct Record {
        let name: DNSName
        let type: UInt16
        let timeToLive: UInt32
        let data: Range<Int>
    }

    /// Parses a message, and follows its aliases (CNAME) from the name of the question to the addresses.
    ///
    /// Records of other names are ignored, wherever they are.
    ///
    /// - Parameters:
    ///   - message: The message.
    ///   - question: The question that it must answer.
    /// - Throws: The reason why it is not an answer.
    package init(_ message: [UInt8], to question: DNSQuestion) throws(DNSMessageError) {
        guard message.count <= Self.maximumBytes else { throw .malformed("more than 65,535 bytes") }
        var reader = Reader(message: message)
        let (id, flags) = (try reader.number(), try reader.number())
        let counts = (
            questions: try reader.number(), answers: try reader.number(), authorities: try reader.number()
        )
        _ = try reader.number()
        guard flags & 0x8000 != 0, flags & 0x7800 == 0 else { throw .unrelated("not an answer to a query") }
        guard id == 0 else { throw .unrelated("another identifier") }
        guard flags & 0x0200 == 0 else { throw .truncated }
        let code = Int(flags & 0x000F)
        // Only NXDOMAIN (3) describes the name.
        guard code == 0 || code == 3 else { throw .failed(code) }
        guard counts.questions == 1, try reader.name() == question.name,
            try reader.number() == question.type.rawValue, try reader.number() == Self.internet
        else { throw .unrelated("another question") }

        var aliases: [DNSName: (target: DNSName, timeToLive: UInt32)] = [:]
        var found: [DNSName: [(address: NumericAddress, timeToLive: UInt32)]] = [:]
        for _ in 0..<counts.answers {
            guard let record = try reader.record() else { continue }
            if record.type == Self.cname {
                var position = record.data.lowerBound
                let target = try DNSName(message, at: &position)
                guard position == record.data.upperBound else { throw .malformed("an alias has the wrong length") }
                if aliases[record.name] == nil { aliases[record.name] = (target, record.timeToLive) }
            } else if record.type == question.type.rawValue {
                guard record.data.count == question.type.addressBytes,
                    let address = NumericAddress(message[record.data])
                else { throw .malformed("an address has the wrong length") }
                found[record.name, default: []].append((address, record.timeToLive))
            }
        }
        var name = question.name
        var timeToLive = UInt32.max
        var steps = 0
        while found[name] == nil, let alias = aliases[name] {
            steps += 1
            guard steps <= Self.maximumAliases else { throw .malformed("more than 16 aliases, or a loop of aliases") }
            name = alias.target
            timeToLive = min(timeToLive, alias.timeToLive)
        }
        isNonexistent = code == 3
        guard code == 0, let records = found[name]?.prefix(Self.maximumAddresses) else {
            addresses = []
            // Without SOA a negative answer must not be kept (RFC 2308, section 5).
            self.timeToLive = min(timeToLive, try reader.negativeTimeToLive(counts.authorities, soa: Self.soa) ?? 0)
            return
        }
        addresses = records.map(\.address)
        self.timeToLive = records.reduce(timeToLive) { min($0, $1.timeToLive) }
    }

    private struct Reader {
        let message: [UInt8]
        var position = 0

        mutating func number() throws(DNSMessageError) -> UInt16 {
            guard position + 2 <= message.count else { throw .malformed("it ends early") }
            defer { position += 2 }
            return UInt16(message[position]) << 8 | UInt16(message[position + 1])
        }

        /// Reads a time to live; a value with the highest bit is zero (RFC 2181, section 8).
        mutating func timeToLive() throws(DNSMessageError) -> UInt32 {
            let (high, low) = (try number(), try number())
            return high & 0x8000 != 0 ? 0 : UInt32(high) << 16 | UInt32(low)
        }

        mutating func name() throws(DNSMessageError) -> DNSName { try DNSName(message, at: &position) }

        /// Reads a record; `nil` for one of another class than the Internet's.
        mutating func record() throws(DNSMessageError) -> Record? {
            let (name, type, networkClass) = (try name(), try number(), try number())
            let timeToLive = try timeToLive()
            let length = Int(try number())
            guard position + length <= message.count else { throw .malformed("a record reaches beyond the message") }
            defer { position += length }
            guard networkClass == DNSAnswer.internet else { return nil }
            return Record(name: name, type: type, timeToLive: timeToLive, data: position..<position + length)
        }

        /// Returns the time for which a negative answer may be kept (RFC 2308, section 5); `nil` without SOA.
        mutating func negativeTimeToLive(_ count: UInt16, soa: UInt16) throws(DNSMessageError) -> UInt32? {
            for _ in 0..<count {
                guard let record = try record(), record.type == soa else { continue }
                // MNAME, RNAME, SERIAL, REFRESH, RETRY, EXPIRE, MINIMUM
                var data = Reader(message: message, position: record.data.lowerBound)
                _ = (try data.name(), try data.name())
                data.position += 16
                let minimum = try data.timeToLive()
                guard data.position == record.data.upperBound else { throw .malformed("SOA has the wrong length") }
                return min(record.timeToLive, minimum)
            }
            return nil
        }
    }
}
