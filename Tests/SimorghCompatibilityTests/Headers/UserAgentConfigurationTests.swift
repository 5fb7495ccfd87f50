// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import SimorghCompatibility
import SimorghCore
import SimorghSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct UserAgentConfigurationTests {
    @Test("EK13: the User-Agent has the exact format")
    func form() {
        let agent = UserAgentConfiguration(
            appName: "My App", appVersion: "2.1", bundleIdentifier: "com.example.app", buildNumber: "42",
            osVersion: "18.0", networkVersion: "9.9.9")
        #expect(
            agent.generateUserAgentString()
                == "My App/2.1 (com.example.app; build:42; \(Platform.name) 18.0) Simorgh/9.9.9")
    }

    @Test("EK13: unspecified parts come from the process and the system")
    func defaults() throws {
        let text = UserAgentConfiguration().generateUserAgentString()
        let form = /([^\/()]+)\/1\.0 \(([^;()]+); build:1; ([A-Za-z]+) (\d+\.\d+\.\d+)\) Simorgh\/(\d+\.\d+\.\d+)/
        let match = try #require(text.wholeMatch(of: form), "\(text)")
        #expect(match.1 == match.2 && !match.1.isEmpty)
        #expect(match.5 == SimorghVersion.current)
    }

    @Test(
        "A hostile name breaks neither the header nor its format",
        arguments: ["a\r\nX-Evil: 1", "a\u{0}", "a) (b", "a;b", "é", "a/b", "\"a\\"])
    func hostile(name: String) throws {
        let agent = UserAgentConfiguration(
            appName: name, appVersion: name, bundleIdentifier: name, buildNumber: name, osVersion: name,
            networkVersion: name)
        let text = agent.generateUserAgentString()
        _ = try HeaderRules.field(name: "User-Agent", value: text)
        #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
        #expect(
            text.wholeMatch(of: /[^\/()]+\/[^\/()]+ \([^;()]+; build:[^;()]+; [^;()]+\) Simorgh\/[^\/()]+/) != nil,
            "\(text)")
    }

    @Test("An empty part becomes a hyphen")
    func empty() {
        #expect(UserAgentConfiguration(appName: "", appVersion: "").generateUserAgentString().hasPrefix("-/- ("))
    }
}
