"""Makes the certificates of the tests: an authority, its intermediate, and leaves that are right or wrong in one way.

    certificates.py FOLDER

writes NAME.pem (the chain that a server sends), NAME.key, and pins.json (the SHA-256 of each public key in base64).
"""
import base64
import datetime
import hashlib
import ipaddress
import json
import pathlib
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import AuthorityInformationAccessOID, ExtendedKeyUsageOID, NameOID

NOW = datetime.datetime.now(datetime.timezone.utc)
DAY = datetime.timedelta(days=1)


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


class Issued:
    """A certificate with its key."""

    def __init__(self, subject, issuer=None, authority=False, hosts=("localhost", "127.0.0.1"), start=-10, end=30,
                 usage=ExtendedKeyUsageOID.SERVER_AUTH, key=None, place=None):
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
                try:
                    names.append(x509.IPAddress(ipaddress.ip_address(host)))
                except ValueError:
                    names.append(x509.DNSName(host))
            builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if place:
            builder = builder.add_extension(
                x509.AuthorityInformationAccess([x509.AccessDescription(
                    AuthorityInformationAccessOID.CA_ISSUERS, x509.UniformResourceIdentifier(place))]),
                critical=False)
        self.certificate = builder.sign(issuer.key if issuer else self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def key_pem(self, passphrase=None):
        encryption = (
            serialization.BestAvailableEncryption(passphrase.encode()) if passphrase else serialization.NoEncryption())
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, encryption).decode()

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
    leaves = {
        "good": Issued("localhost", middle),
        "expired": Issued("localhost", middle, end=-1),
        "notyet": Issued("localhost", middle, start=1),
        "wronghost": Issued("wrong.example", middle, hosts=("wrong.example", "127.0.0.2")),
        "missing": Issued("localhost", middle, place="http://ca.example/intermediate.der"),
        "usage": Issued("localhost", middle, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
        "weak": Issued("localhost", middle, key=rsa.generate_private_key(65537, 1024)),
        "oldmiddle": Issued("localhost", old),
        "stranger": Issued("localhost", stranger),
        "selfsigned": Issued("localhost"),
        "named": Issued("named.example", middle, hosts=("named.example", "192.0.2.7")),
        "proxy": Issued("localhost", root),
        "client": Issued("Zal", root, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
        "otherclient": Issued("Nobody", stranger, usage=ExtendedKeyUsageOID.CLIENT_AUTH),
    }
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    pins = {"root": root.pin, "middle": middle.pin, "strangerroot": stranger.pin}
    (folder / "root.pem").write_text(root.pem)
    (folder / "strangerroot.pem").write_text(stranger.pem)
    for title, leaf in leaves.items():
        chain = leaf.pem
        if title == "oldmiddle":
            chain += old.pem
        elif title not in ("missing", "stranger", "selfsigned", "proxy", "client", "otherclient"):
            chain += middle.pem
        (folder / f"{title}.pem").write_text(chain)
        (folder / f"{title}.key").write_text(leaf.key_pem())
        pins[title] = leaf.pin
    (folder / "client.enc.key").write_text(leaves["client"].key_pem("open sesame"))
    (folder / "pins.json").write_text(json.dumps(pins))


if __name__ == "__main__":
    make(sys.argv[1])
