// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

import Foundation

/// Synthetic beginnings of files: enough of each format to distinguish it from others.
enum MimeSamples {
    struct Sample: Sendable {
        let name: String
        let mime: String
        let bytes: Data
    }

    static let all: [Sample] = binary + texts + archives

    // MARK: Binary formats

    /// An extension, a type, and bytes at offsets: hexadecimal digits, quoted text (`_` is a space); zeros elsewhere.
    private static let table = """
        png image/png 0:89'PNG'0D0A1A0A0000000D'IHDR'00000010000000100802000000
        jpg image/jpeg 0:FFD8FFE00010'JFIF'00010100000100010000FFDB
        gif image/gif 0:'GIF89a'1000100080
        webp image/webp 0:'RIFF'00020000'WEBPVP8_'F4010000
        wav audio/wav 0:'RIFF'00020000'WAVEfmt_'1000000001000200'D'AC0000
        avi video/x-msvideo 0:'RIFF'00020000'AVI_LIST'00010000'hdrlavih'
        rmi audio/midi 0:'RIFF'00020000'RMIDdata'
        tif image/tiff 0:'II'2A0008000000
        tiff image/tiff 0:'MM'002A00000008
        cr2 image/x-canon-cr2 0:'II'2A0010000000'CR'0200
        jxr image/jxr 0:'II'BC0108000000
        bmp image/bmp 0:'BM'3602000000000000360000002800000010000000100000000100180000000000
        psd image/vnd.adobe.photoshop 0:'8BPS'000100000000000000030000001000000010000800030000
        ico image/x-icon 0:00000100010010100000010020006804000016000000 22:28000000
        cur image/x-win-bitmap 0:00000200010010100000010001006804000016000000 22:28000000
        jxl image/jxl 0:0000000C'JXL_'0D0A870A00000014'ftypjxl_'
        jp2 image/jp2 0:0000000C'jP__'0D0A870A00000014'ftypjp2_'
        jpx image/jpx 0:0000000C'jP__'0D0A870A00000014'ftypjpx_'
        jpm image/jpm 0:0000000C'jP__'0D0A870A00000014'ftypjpm_'
        xcf image/x-xcf 0:'gimp_xcf_file'000000001000000010
        dds image/vnd.ms-dds 0:'DDS_'7C0000000710
        exr image/x-exr 0:762F310102000000
        hdr image/vnd.radiance 0:'#?RADIANCE'0A'FORMAT=32-bit_rle_rgbe'0A0A
        bpg image/bpg 0:'BPG'FB
        flif image/flif 0:'FLIF'3131000F
        qoi image/x-qoi 0:'qoif'00000010000000100300
        icns image/x-icns 0:'icns'00000200'ic07'
        pcx image/vnd.zbrush.pcx 0:0A05010800000000 8:0F000F00 64:0001 65:011000
        wmf image/wmf 0:D7CDC69A0000
        emf image/emf 0:010000006C000000 40:'_EMF'
        ktx image/ktx 0:AB'KTX_11'BB0D0A1A0A
        ktx2 image/ktx2 0:AB'KTX_20'BB0D0A1A0A
        dwg image/vnd.dwg 0:'AC1032'
        djvu image/vnd.djvu 0:'AT&TFORM'00000100'DJVUINFO'
        fits image/fits 0:'SIMPLE__=____________________T'
        dcm application/dicom 128:'DICM'0200
        swf application/x-shockwave-flash 0:'FWS'0900020000
        flv video/x-flv 0:'FLV'010500000009
        asf video/x-ms-asf 0:3026B2758E66CF11A6D900AA0062CE6C
        mpg video/mpeg 0:000001BA'D'000400
        m2v video/mpeg 0:000001B3'_'00F0
        ts video/mp2t 0:47400010 188:47400010 376:47400010
        mxf application/mxf 0:060E2B34020501010D01020101020400
        rm application/vnd.rn-realmedia 0:'.RMF'00000012
        mp3 audio/mpeg 0:'ID3'03000000000F76
        mp2 audio/mpeg 0:FFFB9064
        aac audio/aac 0:FFF15080
        flac audio/flac 0:'fLaC'00000022 8:1000 18:0AC442F0
        aiff audio/aiff 0:'FORM'00000100'AIFFCOMM'
        aifc audio/aiff 0:'FORM'00000100'AIFCFVER'
        mid audio/midi 0:'MThd'00000006000100020060
        amr audio/amr 0:'#!AMR'0A3C
        ac3 audio/ac3 0:0B77000014 5:4043
        ape audio/x-ape 0:'MAC_'960F0000
        wv audio/x-wavpack 0:'wvPK'000100001004
        au audio/basic 0:'.snd'000000180000010000000001
        caf audio/x-caf 0:'caff'00010000'desc'
        dsf audio/x-dsf 0:'DSD_'1C00000000000000
        xm audio/x-mod 0:'Extended_Module:_song'
        woff font/woff 0:'wOFF'00010000
        woff2 font/woff2 0:'wOF2'00010000
        ttf font/ttf 0:000100000010010000040000'cmap' 12:'cmap'
        otf font/otf 0:'OTTO'0009008000030010'CFF_'
        ttc font/collection 0:'ttcf'0001000000000002
        eot application/vnd.ms-fontobject 0:00010000 8:01000200 34:'LP'
        gz application/gzip 0:1F8B080000000000000301000000FFFF
        bz2 application/x-bzip2 0:'BZh91AY&SY'
        xz application/x-xz 0:FD'7zXZ'000004E6D6B446
        zst application/zstd 0:28B52FFD0458
        lz4 application/x-lz4 0:04224D186440A7
        7z application/x-7z-compressed 0:'7z'BCAF271C0004
        rar application/vnd.rar 0:'Rar!'1A0700CF907300000D
        cab application/vnd.ms-cab-compressed 0:'MSCF'0000000000020000000000002C000000000000000301
        deb application/vnd.debian.binary-package 0:'!<arch>'0A'debian-binary___'
        a application/x-archive 0:'!<arch>'0A'/_______________0___________'
        rpm application/x-rpm 0:EDABEEDB030000000001
        lz application/x-lzip 0:'LZIP'010C
        z application/x-compress 0:1F9D90
        cpio application/x-cpio 0:'07070100000001'
        xar application/x-xar 0:'xar!'001C000100000000
        sz application/x-snappy-framed 0:FF060000'sNaPpY'
        lha application/x-lzh-compressed 0:2057'-lh5-'
        arj application/x-arj 0:60EA2A001E
        crx application/x-chrome-extension 0:'Cr24'03000000
        pdf application/pdf 0:'%PDF-1.7'0A25E2E3CFD30A
        ole application/x-ole-storage 0:D0CF11E0A1B11AE1 24:3E000300FEFF0900
        mobi application/x-mobipocket-ebook 0:'Simorgh' 60:'BOOKMOBI'
        chm application/vnd.ms-htmlhelp 0:'ITSF'0300000060000000
        dvi application/x-dvi 0:F702018392C01C3B0000000003E8
        elf application/x-executable 0:7F'ELF'02010100 16:02003E0001000000
        exe application/vnd.microsoft.portable-executable 0:'MZ' 60:80000000 128:'PE'00004C01030000000000 148:E0000201 152:0B01
        macho application/x-mach-binary 0:CFFAEDFE07000001030000000200000010000000
        class application/java-vm 0:CAFEBABE00000034 8:001D
        wasm application/wasm 0:00'asm'01000000
        dex application/x-dex 0:'dex'0A'035'00
        bc application/x-llvm 0:'BC'C0DE3514
        sqlite application/vnd.sqlite3 0:'SQLite_format_3'0010000101004020
        pcap application/vnd.tcpdump.pcap 0:D4C3B2A1020004000000000000000000FFFF000001000000
        pcapng application/x-pcapng 0:0A0D0D0A1C0000004D3C2B1A01000000
        torrent application/x-bittorrent 0:'d8:announce35:http://tracker.test/announce'
        parquet application/vnd.apache.parquet 0:'PAR1'1504
        avro application/vnd.apache.avro 0:'Obj'0104
        arrow application/vnd.apache.arrow.file 0:'ARROW1'0000
        h5 application/x-hdf5 0:89'HDF'0D0A1A0A00000000
        nc application/x-netcdf 0:'CDF'0100000000
        nes application/x-nes-rom 0:'NES'1A0101
        blend application/x-blender 0:'BLENDER-v293RENDH'
        glb model/gltf-binary 0:'glTF'0200000000020000
        bplist application/x-bplist 0:'bplist00'D10102
        lnk application/x-ms-shortcut 0:4C0000000114020000000000C000000000000046
        pst application/vnd.ms-outlook-pst 0:'!BDN'00000000'SM'1700
        mdb application/x-msaccess 0:00010000'Standard_Jet_DB'00
        qcow2 application/x-qemu-disk 0:'QFI'FB00000003
        vmdk application/x-vmdk 0:'KDMV'01000000
        pack application/x-git-pack 0:'PACK'0000000200000001
        tar application/x-tar 0:'simorgh.txt' 100:'0000644'000000 124:'00000000000'00'00000000000'00'010164'0020'0' 257:'ustar'00'00'
        lzma application/x-lzma 0:5D00008000FFFFFFFFFFFFFFFF00
        zz application/zlib 0:789C4BCC4A040000
        mp4 video/mp4 0:00000018'ftypisom'00000200'isommp41'
        m4v video/x-m4v 0:00000018'ftypM4V_'00000001'M4V_isom'
        m4a audio/mp4 0:00000018'ftypM4A_'00000000'M4A_mp42'
        mov video/quicktime 0:00000014'ftypqt__'20050300'qt__'
        heic image/heic 0:00000018'ftypheic'00000000'mif1heic'
        heif image/heif 0:00000018'ftypmif1'00000000'mif1miaf'
        avif image/avif 0:0000001C'ftypavif'00000000'avifmif1miaf'
        cr3 image/x-canon-cr3 0:00000018'ftypcrx_'00000001'crx_isom'
        3gp video/3gpp 0:00000018'ftyp3gp4'00000200'3gp4isom'
        3g2 video/3gpp2 0:00000018'ftyp3g2a'00000200'3g2aisom'
        ogg audio/ogg 0:'OggS'0002 26:011E01'vorbis'
        opus audio/ogg 0:'OggS'0002 26:0113'OpusHead'
        ogv video/ogg 0:'OggS'0002 26:012A80'theora'
        webm video/webm 0:1A45DFA39F4286810142F7810142F2810442F381084282847765626D
        mkv video/x-matroska 0:1A45DFA3A34286810142F7810142F2810442F381084282886D6174726F736B61
        ppm image/x-portable-pixmap 0:'P6_16_16_255'0A
        pgm image/x-portable-greymap 0:'P5_16_16_255'0A
        pbm image/x-portable-bitmap 0:'P4_16_16'0A
        pam image/x-portable-arbitrarymap 0:'P7'0A'WIDTH_16'0A'HEIGHT_16'0A'DEPTH_3'0A'MAXVAL_255'0A'ENDHDR'0A
        """

    private static let binary: [Sample] = table.split(separator: "\n").map { line in
        let words = line.split(separator: " ")
        var bytes = Data(count: 640)
        for word in words.dropFirst(2) {
            let pair = word.split(separator: ":", maxSplits: 1)
            var place = Int(pair[0]) ?? 0
            for (index, run) in pair[1].split(separator: "'", omittingEmptySubsequences: false).enumerated() {
                let text = run.replacing("_", with: " ")
                let piece: [UInt8] =
                    index % 2 == 1
                    ? Array(text.utf8)
                    : stride(from: 0, to: run.count, by: 2).map { offset in
                        UInt8(run.dropFirst(offset).prefix(2), radix: 16) ?? 0
                    }
                bytes.replaceSubrange(place..<place + piece.count, with: piece)
                place += piece.count
            }
        }
        return Sample(name: "sample.\(words[0])", mime: String(words[1]), bytes: bytes)
    }

    // MARK: Texts

    private static func text(_ ext: String, _ mime: String, _ text: String) -> Sample {
        Sample(name: "sample.\(ext)", mime: mime, bytes: Data(text.utf8))
    }

    private static let texts: [Sample] = [
        text("txt", "text/plain", "Thirty birds set out for the mountain Qaf.\n"),
        text("utf8.txt", "text/plain", "سیمرغ — the bird of birds\n"),
        text("html", "text/html", "<!DOCTYPE html>\n<html><head><title>x</title></head><body></body></html>\n"),
        text(
            "xhtml", "application/xhtml+xml",
            "<?xml version=\"1.0\"?>\n<html xmlns=\"http://www.w3.org/1999/xhtml\"/>\n"),
        text("xml", "application/xml", "<?xml version=\"1.0\"?>\n<birds><bird/></birds>\n"),
        text("svg", "image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>\n"),
        text(
            "2.svg", "image/svg+xml",
            "<?xml version=\"1.0\"?>\n<!-- a -->\n<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n"),
        text("rss", "application/rss+xml", "<?xml version=\"1.0\"?>\n<rss version=\"2.0\"><channel/></rss>\n"),
        text(
            "atom", "application/atom+xml", "<?xml version=\"1.0\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"/>\n"),
        text(
            "kml", "application/vnd.google-earth.kml+xml",
            "<?xml version=\"1.0\"?>\n<kml xmlns=\"http://www.opengis.net/kml/2.2\"/>\n"),
        text("gpx", "application/gpx+xml", "<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" creator=\"x\"/>\n"),
        text(
            "mpd", "application/dash+xml", "<?xml version=\"1.0\"?>\n<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"/>\n"),
        text(
            "plist", "application/x-plist",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"a\" \"b\">\n<plist version=\"1.0\"/>\n"),
        text("json", "application/json", "{\"bird\": [1, 2.5e3, null, true, \"é\\n\"]}\n"),
        text("2.json", "application/json", "[{\"a\": {}}, []]"),
        text("ndjson", "application/x-ndjson", "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n"),
        text("ps", "application/postscript", "%!PS-Adobe-3.0\n%%Pages: 1\n"),
        text("rtf", "application/rtf", "{\\rtf1\\ansi birds}\n"),
        text("vcf", "text/vcard", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Zal\r\nEND:VCARD\r\n"),
        text("ics", "text/calendar", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n"),
        text("vtt", "text/vtt", "WEBVTT\n\n00:01.000 --> 00:04.000\nHello\n"),
        text("srt", "application/x-subrip", "1\n00:00:01,000 --> 00:00:04,000\nHello\n\n"),
        text("m3u8", "application/vnd.apple.mpegurl", "#EXTM3U\n#EXT-X-VERSION:3\n"),
        text("pem", "application/x-pem-file", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
        text("asc", "application/pgp-keys", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQEN\n"),
        text("sh", "text/x-shellscript", "#!/bin/sh\necho birds\n"),
        text("py", "text/x-python", "#!/usr/bin/env python3\nprint('birds')\n"),
        text("pl", "text/x-perl", "#!/usr/bin/perl\nprint \"birds\";\n"),
        text("diff", "text/x-diff", "diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"),
        text(
            "mbox", "application/mbox", "From zal@test Mon Jan  1 00:00:00 2026\nFrom: zal@test\nSubject: x\n\nbirds\n"),
        text(
            "eml", "message/rfc822",
            "Received: from a by b; Mon, 1 Jan 2026 00:00:00 +0000\nFrom: zal@test\nSubject: x\n\nbirds\n"),
        text("xpm", "image/x-xpmi", "/* XPM */\nstatic char *x[] = {\"1 1 1 1\", \"a c #000\", \"a\"};\n"),
        text("php", "text/x-php", "<?php\necho 'birds';\n"),
        text("css", "text/css", "body { color: red; }\n"),
        text("js", "text/javascript", "const a = 1;\nconsole.log(a);\n"),
        text("csv", "text/csv", "name,wings\nSimorgh,2\nZal,0\n"),
        text("md", "text/markdown", "# Birds\n\n- one\n"),
        text("yaml", "application/yaml", "birds:\n  - one\n"),
        text("toml", "application/toml", "[birds]\ncount = 30\n"),
        text("sql", "application/sql", "SELECT 30;\n"),
    ]

    // MARK: Archives

    /// A ZIP archive of stored members.
    static func zip(_ members: [(name: String, text: String)]) -> Data {
        func little(_ value: Int, _ count: Int) -> Data { Data((0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }) }
        var archive = Data()
        var directory = Data()
        for (name, text) in members {
            let offset = archive.count
            let size = text.utf8.count
            let common: [Data] = [
                little(20, 2), little(0, 12), little(size, 4), little(size, 4), little(name.utf8.count, 2),
                little(0, 2),
            ]
            let member: [Data] = [Data([0x50, 0x4B, 3, 4])] + common + [Data(name.utf8), Data(text.utf8)]
            let entry: [Data] =
                [Data([0x50, 0x4B, 1, 2]), little(20, 2)] + common + [
                    little(0, 10), little(offset, 4), Data(name.utf8),
                ]
            for piece in member { archive.append(piece) }
            for piece in entry { directory.append(piece) }
        }
        let end: [Data] = [
            directory, Data([0x50, 0x4B, 5, 6]), little(0, 4), little(members.count, 2), little(members.count, 2),
            little(directory.count, 4), little(archive.count, 4), little(0, 2),
        ]
        for piece in end { archive.append(piece) }
        return archive
    }

    private static func archive(_ ext: String, _ mime: String, _ names: [String]) -> Sample {
        Sample(name: "sample.\(ext)", mime: mime, bytes: zip(names.map { ($0, "<x/>") }))
    }

    private static func document(_ ext: String, _ mime: String) -> Sample {
        Sample(name: "sample.\(ext)", mime: mime, bytes: zip([("mimetype", mime), ("META-INF/manifest.xml", "<x/>")]))
    }

    private static let archives: [Sample] = [
        archive("zip", "application/zip", ["birds/one.txt"]),
        archive(
            "docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]),
        archive(
            "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            ["[Content_Types].xml", "_rels/.rels", "xl/workbook.xml"]),
        archive(
            "pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            ["[Content_Types].xml", "_rels/.rels", "ppt/presentation.xml"]),
        archive("jar", "application/java-archive", ["META-INF/MANIFEST.MF", "a/B.class"]),
        archive("apk", "application/vnd.android.package-archive", ["AndroidManifest.xml", "classes.dex"]),
        document("epub", "application/epub+zip"),
        document("odt", "application/vnd.oasis.opendocument.text"),
        document("ods", "application/vnd.oasis.opendocument.spreadsheet"),
        document("odp", "application/vnd.oasis.opendocument.presentation"),
        document("odg", "application/vnd.oasis.opendocument.graphics"),
    ]
}
