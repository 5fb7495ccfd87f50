"""Creates the certificates of the tests: an authority, its intermediate, and leaves that are valid or have one flaw.

    certificates.py FOLDER

writes NAME.pem (the chain that a server sends), NAME.key, and pins.json (the SHA-256 of each public key in base64).
"""
import base64
import datetime
import hashlib
import ipaddress
import json
import pathlib
import subprocess
import sys
import tempfile

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import pkcs12
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def policies(*numbers):
    return x509.CertificatePolicies([x509.PolicyInformation(x509.ObjectIdentifier(number), None) for number in numbers])


ANY, FIRST, SECOND = "2.5.29.32.0", "1.2.3.4", "1.2.3.5"
# Maps the second policy to the first one of the issuer.
RENAMED = x509.UnrecognizedExtension(
    x509.ObjectIdentifier("2.5.29.33"), bytes.fromhex("300c300a06032a030406032a0305"))


def demand(skip=0):
    """Requires the chain to share a policy, after skipping a number of certificates."""
    return x509.PolicyConstraints(skip, None)


class Issued:
    """A certificate with its key."""

    def __init__(self, subject, issuer=None, authority=False, hosts=("localhost", "127.0.0.1"), start=-10, end=30,
                 usage=ExtendedKeyUsageOID.SERVER_AUTH, key=None, place=None, rules=()):
        self.key = key or ec.generate_private_key(ec.SECP256R1())
        builder = (
            x509.CertificateBuilder()
            .subject_name(name(subject))
            .issuer_name(issuer.certificate.subject if issuer else name(subject))
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(NOW + start * DAY)
            .not_valid_after(NOW + end * DAY)
            .add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(self.key.public_key()), critical=False)
        )
        if authority:
            builder = builder.add_extension(
                x509.KeyUsage(False, False, False, False, False, True, True, False, False), critical=True)
        else:
            names = []
            for host in hosts:
                if isinstance(host, x509.GeneralName):
                    names.append(host)
                    continue
                try:
                    names.append(x509.IPAddress(ipaddress.ip_address(host)))
                except ValueError:
                    names.append(x509.DNSName(host))
            if names:
                builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if place:
            builder = builder.add_extension(
                x509.AuthorityInformationAccess([x509.AccessDescription(
                    AuthorityInformationAccessOID.CA_ISSUERS, x509.UniformResourceIdentifier(place))]),
                critical=False)
        for rule in rules:
            builder = builder.add_extension(rule, critical=False)
        self.certificate = builder.sign(issuer.key if issuer else self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def key_pem(self, passphrase=None):
        encryption = (
            serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption())
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption).decode()

    def signed_with_sha1(self, issuer):
        """Signs the same with SHA-1, which the `openssl` command still supports, and the library used here does not."""
        request = x509.CertificateSigningRequestBuilder().subject_name(self.certificate.subject)
        for extension in self.certificate.extensions:
            request = request.add_extension(extension.value, extension.critical)
        texts = {
            "request": request.sign(self.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode(),
            "issuer": issuer.pem, "key": issuer.key_pem(),
        }
        with tempfile.TemporaryDirectory() as folder:
            for title, text in texts.items():
                (pathlib.Path(folder) / title).write_text(text)
            command = ["openssl", "x509", "-req", "-in", "request", "-CA", "issuer", "-CAkey", "key", "-sha1"]
            command += ["-copy_extensions", "copyall", "-days", "30", "-set_serial", str(x509.random_serial_number())]
            made = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.certificate = x509.load_pem_x509_certificate(made.stdout)
        return self

    @property
    def pin(self):
        spki = self.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        return base64.b64encode(hashlib.sha256(spki).digest()).decode()


def make(folder):
    root = Issued("Simorgh test root", authority=True)
    middle = Issued("Simorgh test intermediate", root, authority=True)
    old = Issued("Simorgh old intermediate", root, authority=True, start=-20, end=-1)
    stranger = Issued("Somebody else's root", authority=True)
    # One signs with RSA and one with ECDSA, which have different algorithm identifiers for SHA-1.
    rsa_middle = Issued("Simorgh RSA intermediate", root, authority=True, key=rsa.generate_private_key(65537, 2048))
    sha1_middle = Issued("Simorgh SHA-1 intermediate", root, authority=True).signed_with_sha1(root)
    # The same authority as the root.
    sha1_root = Issued("Simorgh test root", authority=True, key=root.key).signed_with_sha1(root)
    # A curve that BoringSSL does not support.
    odd_root = Issued("Simorgh odd root", authority=True, key=ec.generate_private_key(ec.BrainpoolP256R1()))
    # By port: the extensions of the issuer's certificate, and those of the server's.
    ruled = {
        "demanded": ([], [demand()]),
        "unmet": ([policies(FIRST), demand()], []),
        "othermet": ([policies(FIRST), demand()], [policies(SECOND)]),
        "met": ([policies(FIRST), demand()], [policies(SECOND, FIRST)]),
        "metlater": ([policies(FIRST)], [policies(FIRST), demand()]),
        "needless": ([demand(2)], []),
        "anymet": ([policies(ANY), demand()], [policies(FIRST)]),
        "anyunmet": ([policies(ANY), demand(), x509.InhibitAnyPolicy(0)], [policies(ANY)]),
        "renamed": ([policies(FIRST), demand(), RENAMED], [policies(SECOND)]),
        "unrenamed": ([policies(FIRST), demand(), RENAMED], [policies(FIRST)]),
        "names": ([x509.NameConstraints([x509.DNSName("example.org")], None)], []),
    }
    issuers = {
        title: Issued(f"Simorgh {title} intermediate", root, authority=True, rules=above)
        for title, (above, _) in ruled.items()}
    leaves = {
        "good": Issued("localhost", middle),
        "expired": Issued("localhost", middle, end=-1),
        "notyet": Issued("localhost", middle, start=1),
        "wronghost": Issued("wrong.example", middle, hosts=("wrong.example", "127.0.0.2")),
        "missing": Issued("localhost", middle, place="http://ca.example/intermediate.der"),
        "usage": Issued("localhost", middle, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
        "weak": Issued("localhost", middle, key=rsa.generate_private_key(65537, 1024)),
        "sha1": Issued("localhost", rsa_middle).signed_with_sha1(rsa_middle),
        "sha1middle": Issued("localhost", sha1_middle),
        "odd": Issued("localhost", odd_root),
        "oldmiddle": Issued("localhost", old),
        "stranger": Issued("localhost", stranger),
        "selfsigned": Issued("localhost"),
        "named": Issued("named.example", middle, hosts=("named.example", "192.0.2.7")),
        # Names that can be interpreted in several ways; TLSNameTests has the hosts that are requested.
        "wildcard": Issued("*.birds.test", middle, hosts=("*.birds.test",)),
        "underscore": Issued("my_api.birds.test", middle, hosts=("my_api.birds.test",)),
        "partial": Issued("partial", middle, hosts=("b*.birds.test", "*d.birds.test", "xn--*.birds.test", "*i*.birds.test")),
        "wide": Issued("wide", middle, hosts=("*", "*.test", "*.*.test", "bird.*.test", "*.birds.*")),
        "dotted": Issued("dotted", middle, hosts=("*.birds.test.", "bird.birds.test.")),
        "commonname": Issued("bird.birds.test", middle, hosts=()),
        "otherkinds": Issued("bird.birds.test", middle, hosts=(
            x509.UniformResourceIdentifier("https://bird.birds.test/"), x509.RFC822Name("bird@bird.birds.test"),
            x509.DNSName("127.0.0.1"), x509.DirectoryName(name("bird.birds.test")))),
        "wildexpired": Issued("*.birds.test", middle, hosts=("*.birds.test",), end=-1),
        "wildstranger": Issued("*.birds.test", stranger, hosts=("*.birds.test",)),
        "wildselfsigned": Issued("*.birds.test", hosts=("*.birds.test",)),
        "proxy": Issued("localhost", root),
        "client": Issued("Zal", root, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
        "otherclient": Issued("Nobody", stranger, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
    }
    leaves |= {title: Issued("localhost", issuers[title], rules=own) for title, (_, own) in ruled.items()}
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pins = {"root": root.pin, "middle": middle.pin, "strangerroot": stranger.pin, "oddroot": odd_root.pin}
    (folder / "root.pem").write_text(root.pem)
    (folder / "oddroot.pem").write_text(odd_root.pem)
    (folder / "sha1root.pem").write_text(sha1_root.pem)
    (folder / "strangerroot.pem").write_text(stranger.pem)
    for title, leaf in leaves.items():
        chain = leaf.pem
        other = (issuers | {
            "oldmiddle": old, "sha1": rsa_middle, "sha1middle": sha1_middle, "odd": odd_root}).get(title)
        if other:
            chain += other.pem
        elif title not in ("missing", "stranger", "selfsigned", "wildstranger", "wildselfsigned", "proxy", "client",
                           "otherclient"):
            chain += middle.pem
        (folder / f"{title}.pem").write_text(chain)
        (folder / f"{title}.key").write_text(leaf.key_pem())
        pins[title] = leaf.pin
    client = leaves["client"]
    (folder / "client.p12").write_bytes(pkcs12.serialize_key_and_certificates(
        b"Zal", client.key, client.certificate, [root.certificate], serialization.BestAvailableEncryption(b"open sesame")))
    (folder / "client.enc.key").write_text(leaves["client"].key_pem("open sesame"))
    (folder / "pins.json").write_text(json.dumps(pins))


if __name__ == "__main__":
    make(sys.argv[1])
