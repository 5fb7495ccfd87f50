"""A DNS server over UDP and TCP, behind dnsdist, with the names of the tests.

    dns.py PORT
"""
import sys
import time

from dnslib import A, AAAA, CNAME, QTYPE, RCODE, RR, SOA, TXT
from dnslib.server import BaseResolver, DNSLogger, DNSServer

SOA_RECORD = RR("test", QTYPE.SOA, rdata=SOA("ns.test", "birds.test", (1, 60, 60, 60, 30)), ttl=60)


class Resolver(BaseResolver):
    def resolve(self, request, handler):
        reply = request.reply()
        name = str(request.q.qname).lower().rstrip(".")
        kind = QTYPE[request.q.qtype]
        addresses = {"birds.test", "end.birds.test", "end.alias.birds.test", "many.birds.test"}
        if name == "broken.birds.test":
            reply.header.rcode = RCODE.SERVFAIL
        elif name == "refused.birds.test":
            reply.header.rcode = RCODE.REFUSED
        elif name == "truncated.birds.test":
            reply.header.tc = 1
        elif name == "slow.birds.test":
            time.sleep(20)
        elif name == "alias.birds.test":
            # Out of order, compressed, and with a record of another name.
            reply.add_answer(RR("evil.test", QTYPE.A, rdata=A("198.51.100.66"), ttl=60))
            if kind == "A":
                reply.add_answer(RR("end.alias.birds.test", QTYPE.A, rdata=A("127.0.0.1"), ttl=60))
            reply.add_answer(RR("middle.birds.test", QTYPE.CNAME, rdata=CNAME("end.alias.birds.test"), ttl=60))
            reply.add_answer(RR("alias.birds.test", QTYPE.CNAME, rdata=CNAME("middle.birds.test"), ttl=60))
        elif name == "loop.birds.test":
            reply.add_answer(RR("loop.birds.test", QTYPE.CNAME, rdata=CNAME("pool.birds.test"), ttl=60))
            reply.add_answer(RR("pool.birds.test", QTYPE.CNAME, rdata=CNAME("loop.birds.test"), ttl=60))
        elif name in addresses:
            count = 200 if name.startswith("many") else 1
            for number in range(count):
                if kind == "A":
                    address = "127.0.0.1" if count == 1 else f"192.0.2.{number}"
                    reply.add_answer(RR(request.q.qname, QTYPE.A, rdata=A(address), ttl=60))
            if kind == "TXT":
                reply.add_answer(RR(request.q.qname, QTYPE.TXT, rdata=TXT("birds"), ttl=60))
            if not reply.rr:
                reply.add_auth(SOA_RECORD)
        elif name == "six.birds.test" and kind == "AAAA":
            reply.add_answer(RR(request.q.qname, QTYPE.AAAA, rdata=AAAA("2001:db8::1"), ttl=60))
        elif name == "six.birds.test":
            reply.add_auth(SOA_RECORD)
        else:
            reply.header.rcode = RCODE.NXDOMAIN
            reply.add_auth(SOA_RECORD)
        return reply


if __name__ == "__main__":
    port = int(sys.argv[1])
    quiet = DNSLogger("-recv,-send,-request,-reply,-truncated,-error,-data")
    DNSServer(Resolver(), address="127.0.0.1", port=port, tcp=True, logger=quiet).start_thread()
    DNSServer(Resolver(), address="127.0.0.1", port=port, logger=quiet).start()
