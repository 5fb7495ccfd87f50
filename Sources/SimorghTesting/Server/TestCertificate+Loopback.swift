// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension TestCertificate {
    /// The certificate that ships with this library, for servers and clients on this machine: `localhost`, `127.0.0.1`
    /// and `::1`.
    ///
    /// Its key is public and protects nothing. It is valid from 2020 to 2049; Apple's `URLSession` rejects certificates
    /// with such a long validity. Other names and periods need the trait `TestCertificates`.
    public static let loopback = TestCertificate(
        certificatePEM: """
            -----BEGIN CERTIFICATE-----
            MIIB7DCCAZKgAwIBAgIUWknlW17miSyMz1fbmnokaeHfH2QwCgYIKoZIzj0EAwIw
            JzElMCMGA1UEAwwcU2ltb3JnaCBmaXhlZCB0ZXN0IGF1dGhvcml0eTAeFw0yMDAx
            MDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZ
            MBMGByqGSM49AgEGCCqGSM49AwEHA0IABNyuId6avksdj+n/eag+zOUF9iTfbOWD
            G8b1zvlkwYa6nQVHoNaNrTacb9MebIxa0QeN2xgsJi5yo4Ti5AlgTp+jga4wgasw
            DAYDVR0TAQH/BAIwADAOBgNVHQ8BAf8EBAMCB4AwHQYDVR0lBBYwFAYIKwYBBQUH
            AwEGCCsGAQUFBwMCMB0GA1UdDgQWBBQj7hcrw51x2I1mPT3QDwASPUEAhDAfBgNV
            HSMEGDAWgBR6tcqQ4WYT40Q+5rO0A//KGqc0aDAsBgNVHREEJTAjgglsb2NhbGhv
            c3SHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSAAwRQIhAKr3
            3hGBHJQ3oIfwDPiRRYZ0IMepaiYwC5yLnstkowQ3AiBYLtVMBVHNWPLUq4E28igq
            EwUZBfPbS3AWL1zncsCAeQ==
            -----END CERTIFICATE-----

            """,
        // Created by scripts/test-certificates. It is public and protects nothing.
        keyPEM: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg5UNu6f3e1y6/p/Z0
            VUva4LE4yyY4zNTILn1EZgIxdBuhRANCAATcriHemr5LHY/p/3moPszlBfYk32zl
            gxvG9c75ZMGGup0FR6DWja02nG/THmyMWtEHjdsYLCYucqOE4uQJYE6f
            -----END PRIVATE KEY-----

            """,
        // Its key was discarded, so that it cannot sign anything else.
        authorityPEM: """
            -----BEGIN CERTIFICATE-----
            MIIBljCCATugAwIBAgIUZHV1GcZkoB8zu8IPRzzp2X1sMXkwCgYIKoZIzj0EAwIw
            JzElMCMGA1UEAwwcU2ltb3JnaCBmaXhlZCB0ZXN0IGF1dGhvcml0eTAeFw0yMDAx
            MDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMCcxJTAjBgNVBAMMHFNpbW9yZ2ggZml4
            ZWQgdGVzdCBhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASdK5FV
            4BHFy3XVnndPfVyCNrcMqvdT7FvP08PSm5DuPXKrm/K31Au2d90HLYqkXfxuXfME
            xxUnad0NIw7I5QDDo0UwQzASBgNVHRMBAf8ECDAGAQH/AgEAMA4GA1UdDwEB/wQE
            AwIBBjAdBgNVHQ4EFgQUerXKkOFmE+NEPuaztAP/yhqnNGgwCgYIKoZIzj0EAwID
            SQAwRgIhAKOk0b8NKoLOfvnG1gIxOkuVk957fR493BznsFCpdZUZAiEA2cD6Muw5
            c5U4VIgD9crhGhiI0HfnDNKps5G94KEAPdo=
            -----END CERTIFICATE-----

            """,
        pin: "sha256/drq+olQ6Ob+lRBE4UVI8Lhzt9WXYk9IAmXw+bG80Lng=")
}
