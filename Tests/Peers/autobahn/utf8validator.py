import codecs
class Utf8Validator(object):
    """fast stand-in (CPython's own incremental decoder is fail-fast per RFC 3629) when wsaccel has no wheel"""
    def __init__(self): self.reset()
    def reset(self): self.d = codecs.getincrementaldecoder("utf-8")("strict"); self.i = 0; self.bad = False
    def validate(self, ba):
        if not self.bad:
            try: self.d.decode(bytes(ba))
            except UnicodeDecodeError as e: self.bad = True; return False, False, e.start, self.i + e.start
        if self.bad: return False, False, 0, self.i
        self.i += len(ba)
        return True, not self.d.getstate()[0], len(ba), self.i
class XorMaskerNull(object):
    def __init__(self, mask=None): self.ptr = 0
    def pointer(self): return self.ptr
    def reset(self): self.ptr = 0
    def process(self, data): self.ptr += len(data); return data
class XorMasker(XorMaskerNull):
    def __init__(self, mask): self.m = bytes(mask) * 2; self.ptr = 0
    def process(self, data):
        n = len(data); o = self.ptr & 3; k = (self.m[o:o + 4] * (n // 4 + 1))[:n]; self.ptr += n
        return (int.from_bytes(data, "little") ^ int.from_bytes(k, "little")).to_bytes(n, "little")
def createXorMasker(mask, length=None): return XorMasker(mask)
