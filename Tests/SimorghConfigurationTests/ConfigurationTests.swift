// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

#if Configuration
import Configuration
import Foundation
import HTTPTypes
import SimorghConfiguration
import SimorghCore
import SimorghSupport
import SimorghTesting
import Synchronization
import TestSupport
import Testing

@Suite("APIClient.Configuration(reader:)", .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private static func read(_ values: [AbsoluteConfigKey: ConfigValue]) throws -> APIClient.Configuration {
        try APIClient.Configuration(reader: ConfigReader(provider: InMemoryProvider(values: values)))
    }

    private static func error(_ values: [AbsoluteConfigKey: ConfigValue]) -> ClientConfigurationError? {
        do {
            _ = try read(values)
            return nil
        } catch {
            return error as? ClientConfigurationError
        }
    }

    @Test("Without values the configuration has its defaults")
    func defaults() throws {
        let (read, defaults) = (try Self.read([:]), APIClient.Configuration())
        #expect(read.baseURL == nil && read.headers.isEmpty && read.userAgent == defaults.userAgent)
        #expect(read.timeouts == defaults.timeouts && read.limits == defaults.limits && read.tls == defaults.tls)
        #expect(read.retry == nil && read.authentication == nil && read.route == defaults.route)
        #expect(!read.timeouts.isTotalSet, "the total timeout does not apply to streams")
    }

    @Test("Each key changes its setting")
    func all() throws {
        let root = FileManager.default.temporaryDirectory.path + "/simorgh-root-\(UUID().uuidString).pem"
        defer { try? FileManager.default.removeItem(atPath: root) }
        try Data(TestCertificate.loopback.certificatePEM.utf8).write(to: URL(filePath: root))
        let read = try Self.read([
            "baseURL": "https://api.example.com/v1", "userAgent": "tour/1", "requestIDHeader": "X-Request-ID",
            "headers": ConfigValue(.stringArray(["X-Tenant: a", "X-Mode:b"]), isSecret: false),
            "timeouts.connectMs": 250, "timeouts.idleMs": 0, "timeouts.totalMs": 5000,
            "limits.headBytes": 1000, "limits.headerFields": 10, "maximumCollectedBytes": 2000,
            "maximumErrorBodyBytes": 100, "httpVersion": "http2Only", "decompresses": false, "redirects.limit": 3,
            "retry.maximumRetries": 5, "retry.baseDelayMs": 10, "retry.maximumDelayMs": 20,
            "proxy.url": "http://user:secret@proxy.example:3128", "proxy.bypass": "localhost",
            "tls.minimumVersion": "1.3", "tls.rootFiles": ConfigValue(.stringArray([root]), isSecret: false),
            "access.allowsCellular": false, "authentication.bearerToken": "t", "resilience.coalescesRequests": true,
            "logging.level": "failures",
        ])
        #expect(read.baseURL == "https://api.example.com/v1" && read.userAgent == "tour/1")
        #expect(read.requestIDHeader == "X-Request-ID" && read.headers == ["X-Tenant": "a", "X-Mode": "b"])
        #expect(read.timeouts.connect == .milliseconds(250) && read.timeouts.idle == nil)
        #expect(read.timeouts.total == .seconds(5) && read.timeouts.isTotalSet)
        #expect(read.limits.headBytes == 1000 && read.limits.headerFields == 10)
        #expect(read.maximumCollectedBytes == 2000 && read.maximumErrorBodyBytes == 100)
        #expect(read.httpVersion == .http2Only && !read.decompresses && read.redirects.limit == 3)
        #expect(read.retry?.maximumRetries == 5 && read.retry?.baseDelay == .milliseconds(10))
        #expect(read.retry?.maximumDelay == .milliseconds(20))
        #expect(read.route.proxy == .url("http://user:secret@proxy.example:3128", bypass: "localhost"))
        #expect(read.tls.minimumVersion == .tls13 && read.tls.trust == .systemAnd([.file(root)]))
        #expect(!read.access.allowsCellular && read.access.allowsExpensive)
        #expect(read.authentication != nil && read.resilience.coalescesRequests && read.logging.level == .failures)
    }

    @Test("A bearer token and a password authenticate requests")
    func authentication() async throws {
        let transport = StubServer()
        transport.on(nil, path: "/a") { .text($0.head.headerFields[.authorization] ?? "") }
        let base: [AbsoluteConfigKey: ConfigValue] = ["baseURL": "https://api.test"]
        let bearer = try Self.read(base.merging(["authentication.bearerToken": "t"]) { $1 })
        let basic = try Self.read(
            base.merging(["authentication.username": "u", "authentication.password": "p"]) { $1 })
        for (configuration, expected) in [(bearer, "Bearer t"), (basic, "Basic dTpw")] {
            var configuration = configuration
            configuration.networkMonitor = nil
            let client = APIClient(configuration: configuration, transport: transport)
            #expect(try await client.call(.get, "a").string() == expected)
        }
    }

    @Test(
        "An invalid value is an error that names its key",
        arguments: [
            ("baseURL", ConfigValue("ftp://a"), "baseURL"), ("timeouts.totalMs", "soon", "timeouts.totalMs"),
            ("timeouts.totalMs", -1, "timeouts.totalMs"), ("decompresses", "maybe", "decompresses"),
            ("httpVersion", "2", "httpVersion"), ("logging.level", "loud", "logging.level"),
            ("tls.minimumVersion", "1.1", "tls.minimumVersion"), ("proxy.url", "ftp://proxy", "proxy.url"),
            ("proxy.bypass", "a", "proxy.bypass"), ("authentication.username", "u", "authentication.password"),
            ("authentication.password", "p", "authentication.username"),
            ("headers", ConfigValue(.stringArray(["X-Secret"]), isSecret: false), "headers"),
            ("headers", ConfigValue(.stringArray(["X Y: z"]), isSecret: false), "headers"),
            ("proxy.url", "sytem", "proxy.url"), ("proxy.url", "proxy:3128", "proxy.url"),
            ("userAgent", "a\r\nb", "userAgent"), ("requestIDHeader", "X Y", "requestIDHeader"),
            ("authentication.bearerToken", "", "authentication.bearerToken"),
            ("authentication.bearerToken", "a\nb", "authentication.bearerToken"),
            ("tls.rootFiles", ConfigValue(.stringArray(["/nowhere/root.pem"]), isSecret: false), "tls.rootFiles"),
            ("tls.rootFiles", ConfigValue(.stringArray([#filePath]), isSecret: false), "tls.rootFiles"),
            ("tls.rootFiles", ConfigValue(.stringArray(["/dev/null"]), isSecret: false), "tls.rootFiles"),
            ("limits.headBytes", 0, "limits.headBytes"), ("limits.headerFields", 0, "limits.headerFields"),
            ("maximumCollectedBytes", 0, "maximumCollectedBytes"), ("retry.baseDelayMs", 5, "retry.baseDelayMs"),
            ("retry.maximumDelayMs", 5, "retry.maximumDelayMs"),
        ] as [(String, ConfigValue, String)])
    func invalid(key: String, value: ConfigValue, name: String) {
        let error = Self.error([AbsoluteConfigKey(ConfigKey(key)): value])
        #expect(error?.key == name, "\(String(describing: error))")
    }

    private static let texts = [
        "baseURL", "userAgent", "requestIDHeader", "httpVersion", "proxy.url", "proxy.bypass", "tls.minimumVersion",
        "authentication.bearerToken", "authentication.username", "authentication.password", "logging.level",
    ]
    private static let lists = ["headers", "tls.rootFiles"]
    private static let numbers = [
        "timeouts.queueMs", "timeouts.totalMs", "limits.headBytes", "limits.headerFields", "maximumCollectedBytes",
        "maximumErrorBodyBytes", "redirects.limit", "retry.maximumRetries", "retry.baseDelayMs",
    ]
    private static let flags = ["decompresses", "access.allowsCellular", "resilience.coalescesRequests"]

    @Test("A value of another type is an error that names its key", arguments: texts + lists + numbers + flags)
    func otherType(key: String) {
        var values: [ConfigContent] = [.double(1.3), .intArray([1]), .doubleArray([1.5]), .boolArray([true])]
        if !Self.texts.contains(key) { values.append(.string("http://a.test")) }
        if !Self.lists.contains(key) { values.append(.stringArray(["http://a.test"])) }
        if !Self.numbers.contains(key) { values.append(.int(1)) }
        if !Self.flags.contains(key) { values.append(.bool(true)) }
        for value in values {
            let error = Self.error([AbsoluteConfigKey(ConfigKey(key)): ConfigValue(value, isSecret: false)])
            #expect(error?.key == key, "\(value): \(String(describing: error))")
        }
    }

    @Test(
        "A value where a group of keys is expected is an error that names the group",
        arguments: [
            "timeouts", "limits", "redirects", "retry", "tls", "access", "authentication", "resilience", "logging",
        ])
    func group(name: String) {
        for value: ConfigContent in [.string("1.3"), .int(1), .bool(true), .stringArray(["a"])] {
            let error = Self.error([AbsoluteConfigKey(ConfigKey(name)): ConfigValue(value, isSecret: false)])
            #expect(error?.key == name, "\(value): \(String(describing: error))")
        }
        #expect(throws: Never.self) { try Self.read(["proxy": "http://p"]) }
    }

    @Test("A limit of redirects turns redirects on again")
    func redirects() throws {
        var configuration = try Self.read(["redirects.limit": 0])
        #expect(!configuration.redirects.follows)
        let reader = ConfigReader(provider: InMemoryProvider(values: ["redirects.limit": 5]))
        try configuration.update(from: reader)
        #expect(configuration.redirects.follows && configuration.redirects.limit == 5)
    }

    @Test("A header field replaces one whose name differs only in case")
    func headerCase() throws {
        var configuration = APIClient.Configuration()
        configuration.headers = ["x-tenant": "a", "X-Mode": "b"]
        let headers = ConfigValue(.stringArray(["X-Tenant: c"]), isSecret: false)
        try configuration.update(from: ConfigReader(provider: InMemoryProvider(values: ["headers": headers])))
        #expect(configuration.headers == ["X-Tenant": "c", "X-Mode": "b"])
    }

    @Test("Errors contain no secret")
    func secrets() {
        let values: [[AbsoluteConfigKey: ConfigValue]] = [
            ["proxy.url": "ftp://u:hunter2@proxy"], ["authentication.password": "hunter2"],
            ["authentication.bearerToken": "hunter2", "authentication.username": "a"],
            ["headers": ConfigValue(.stringArray(["hunter2"]), isSecret: false)],
            ["timeouts.totalMs": "hunter2"], ["logging.level": "hunter2"], ["decompresses": "hunter2"],
            ["requestIDHeader": "hunter2 a"], ["authentication.bearerToken": "hunter2\n"],
        ]
        for value in values {
            let error = Self.error(value)
            #expect(error?.description.contains("hunter2") == false, "\(String(describing: error))")
        }
    }

    @Test("An invalid value changes nothing")
    func unchanged() {
        var configuration = APIClient.Configuration()
        let reader = ConfigReader(provider: InMemoryProvider(values: ["userAgent": "a", "logging.level": "loud"]))
        #expect(throws: ClientConfigurationError.self) { try configuration.update(from: reader) }
        #expect(configuration.userAgent == APIClient.Configuration().userAgent)
    }

    @Test("The environment has the keys in uppercase, and the scope is their prefix")
    func environment() throws {
        let provider = EnvironmentVariablesProvider(environmentVariables: [
            "HTTP_BASE_URL": "https://a.test", "HTTP_TIMEOUTS_TOTAL_MS": "1500", "HTTP_DECOMPRESSES": "false",
        ])
        let read = try APIClient.Configuration(reader: ConfigReader(provider: provider).scoped(to: "http"))
        #expect(read.baseURL == "https://a.test" && read.timeouts.total == .milliseconds(1500) && !read.decompresses)
    }

    /// Records the keys that are read, and those that are read as secrets.
    private final class Recorder: AccessReporter {
        let keys = Mutex<[String: Bool]>([:])

        func report(_ event: AccessEvent) {
            let isSecret = if case .success(let value?) = event.result { value.isSecret } else { false }
            keys.withLock { $0["\(event.metadata.key)"] = isSecret }
        }
    }

    @Test("Tokens, passwords, the URL of the proxy and header fields are read as secrets")
    func secretKeys() throws {
        let recorder = Recorder()
        let provider = InMemoryProvider(values: [
            "authentication.username": "u", "authentication.password": "p", "proxy.url": "none", "userAgent": "a",
            "baseURL": "https://a.test/?key=hunter2",
            "headers": ConfigValue(.stringArray(["A: b"]), isSecret: false),
        ])
        _ = try APIClient.Configuration(reader: ConfigReader(provider: provider, accessReporter: recorder))
        let secrets = recorder.keys.withLock { $0.filter(\.value).keys.sorted() }
        #expect(secrets == ["authentication.password", "baseURL", "headers", "proxy.url"])
        let token = InMemoryProvider(values: ["authentication.bearerToken": "t"])
        _ = try APIClient.Configuration(reader: ConfigReader(provider: token, accessReporter: recorder))
        let isSecret = recorder.keys.withLock { $0["authentication.bearerToken"] }
        #expect(isSecret == true)
    }

    @Test("The documentation lists exactly the keys that are read")
    func documented() throws {
        let recorder = Recorder()
        _ = try APIClient.Configuration(
            reader: ConfigReader(provider: InMemoryProvider(values: [:]), accessReporter: recorder))
        // Groups are read only to find a value that is one level too high.
        let read = recorder.keys.withLock { keys in
            Set(keys.keys.filter { key in !keys.keys.contains { $0.hasPrefix(key + ".") } })
        }
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        for path in [
            "Sources/SimorghConfiguration/APIClient.Configuration+Reader.swift",
            "Sources/Simorgh/Simorgh.docc/Operation/LifecycleAndConfiguration.md",
        ] {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            let table = try #require(text.components(separatedBy: "| key | type |").dropFirst().first)
            let rows = table.split(separator: "\n").dropFirst().prefix { $0.contains("|") }
            let keys = rows.flatMap { row -> [String] in
                let cell = row.split(separator: "|", omittingEmptySubsequences: false).dropFirst().first ?? ""
                return cell.split(separator: "`").map(String.init).filter { $0.first?.isLetter == true }
            }
            #expect(Set(keys) == read, "\(path)")
        }
    }

    // MARK: Following

    @Test("A client follows its reader: changes apply to later calls, removed values return to the original ones")
    func follows() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["userAgent": "a", "timeouts.totalMs": 1000])
        let client = APIClient.scripted(StubServer()) { $0.userAgent = "original" }
        let rejected = LockedValue<[String]>([])
        let following = Task {
            try await client.followConfiguration(ConfigReader(provider: provider)) { error in
                rejected.change { $0.append(error.key) }
            }
        }
        try await eventually { client.configuration.userAgent == "a" }
        #expect(client.configuration.timeouts.total == .seconds(1))
        client.updateConfiguration { $0.query = ["a": 1] }
        provider.setValue("b", forKey: "userAgent")
        try await eventually { client.configuration.userAgent == "b" }
        provider.setValue("loud", forKey: "logging.level")
        try await eventually { rejected.value == ["logging.level"] }
        #expect(client.configuration.userAgent == "b" && client.configuration.logging.level == .none)
        provider.setValue(nil, forKey: "logging.level")
        provider.setValue(nil, forKey: "userAgent")
        try await eventually { client.configuration.userAgent == "original" }
        #expect(client.configuration.query.items.count == 1, "other settings stay")
        following.cancel()
        _ = await following.result
    }

    @Test("Settings whose keys have no value stay as the program sets them while the client follows the reader")
    func followsOnlyItsKeys() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["logging.level": "failures"])
        let client = APIClient.scripted(StubServer())
        let following = Task { try await client.followConfiguration(ConfigReader(provider: provider)) }
        try await eventually { client.configuration.logging.level == .failures }
        client.updateConfiguration { configuration in
            configuration.authentication = .bearer("t")
            configuration.headers["X-User"] = "zal"
            configuration.timeouts.total = .seconds(9)
        }
        provider.setValue("minimal", forKey: "logging.level")
        try await eventually { client.configuration.logging.level == .minimal }
        #expect(client.configuration.authentication != nil && client.configuration.headers["X-User"] == "zal")
        #expect(client.configuration.timeouts.total == .seconds(9))
        following.cancel()
        _ = await following.result
    }

    @Test("A removed value that the client was created with returns to the program's own setting")
    func followsOverOwnSettings() async throws {
        let provider = MutableInMemoryProvider(initialValues: ["userAgent": "a", "authentication.bearerToken": "t"])
        let reader = ConfigReader(provider: provider)
        let own = APIClient.scripted(StubServer()) { $0.userAgent = "own" }.configuration
        var configuration = own
        try configuration.update(from: reader)
        let client = APIClient(configuration: configuration, transport: StubServer())
        #expect(client.configuration.userAgent == "a" && client.configuration.authentication != nil)
        let following = Task { try await client.followConfiguration(reader, over: own) }
        provider.setValue("b", forKey: "userAgent")
        try await eventually { client.configuration.userAgent == "b" }
        provider.setValue(nil, forKey: "userAgent")
        provider.setValue(nil, forKey: "authentication.bearerToken")
        try await eventually {
            client.configuration.userAgent == "own" && client.configuration.authentication == nil
        }
        following.cancel()
        _ = await following.result
    }

    @Test(
        "A user name or a password that Basic cannot carry is an error that names its key, and contains no secret",
        arguments: [
            ("u:v", "p", "authentication.username"), ("u\nv", "p", "authentication.username"),
            ("u", "hunter2\n", "authentication.password"),
        ])
    func invalidBasic(username: String, password: String, key: String) {
        let error = Self.error([
            "authentication.username": ConfigValue(.string(username), isSecret: false),
            "authentication.password": ConfigValue(.string(password), isSecret: true),
        ])
        #expect(error?.key == key && error?.description.contains("hunter2") == false)
    }

    @Test("A client does not follow a reader whose first values are invalid")
    func followsNothing() async {
        let reader = ConfigReader(provider: MutableInMemoryProvider(initialValues: ["httpVersion": "9"]))
        let client = APIClient.scripted(StubServer())
        await #expect(throws: ClientConfigurationError.self) { try await client.followConfiguration(reader) }
    }
}
#endif
