// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

/// The table of media types and their file extensions.
enum MimeExtensions {
    /// The table: each line is a type and its extensions, the usual one first.
    ///
    /// If two types have the same extension, the first counts.
    static let table = """
        image/png png
        image/jpeg jpg jpeg jpe jfif
        image/gif gif
        image/webp webp
        image/avif avif avifs
        image/heic heic
        image/heif heif hif
        image/svg+xml svg
        image/bmp bmp dib
        image/tiff tif tiff
        image/x-icon ico
        image/x-win-bitmap cur
        image/jxl jxl
        image/jxr jxr wdp
        image/jp2 jp2
        image/jpx jpx jpf
        image/jpm jpm
        image/vnd.adobe.photoshop psd
        image/x-canon-cr2 cr2
        image/x-canon-cr3 cr3
        image/x-xcf xcf
        image/vnd.ms-dds dds
        image/x-exr exr
        image/vnd.radiance hdr
        image/bpg bpg
        image/flif flif
        image/x-qoi qoi
        image/x-icns icns
        image/vnd.zbrush.pcx pcx
        image/wmf wmf
        image/emf emf
        image/ktx ktx
        image/ktx2 ktx2
        image/vnd.dwg dwg
        image/vnd.djvu djvu djv
        image/x-portable-bitmap pbm
        image/x-portable-greymap pgm
        image/x-portable-pixmap ppm
        image/x-portable-arbitrarymap pam
        image/x-xpmi xpm
        image/fits fits fit
        image/x-tga tga
        application/dicom dcm
        video/mp4 mp4 mpg4
        video/x-m4v m4v
        video/quicktime mov qt
        video/webm webm
        video/x-matroska mkv
        video/x-msvideo avi
        video/mpeg mpg mpeg mpe
        video/mp2t m2ts mts
        video/x-flv flv
        video/x-ms-asf asf
        video/x-ms-wmv wmv
        video/3gpp 3gp 3gpp
        video/3gpp2 3g2
        video/ogg ogv
        application/mxf mxf
        application/vnd.rn-realmedia rm
        audio/mpeg mp3
        audio/mp4 m4a m4b mp4a
        audio/aac aac
        audio/ogg ogg oga opus spx
        audio/flac flac
        audio/wav wav
        audio/aiff aiff aif aifc
        audio/midi mid midi
        audio/amr amr
        audio/ac3 ac3
        audio/x-ape ape
        audio/x-wavpack wv
        audio/basic au snd
        audio/x-caf caf
        audio/x-dsf dsf
        audio/x-ms-wma wma
        audio/x-mod xm
        audio/matroska mka
        font/woff woff
        font/woff2 woff2
        font/ttf ttf
        font/otf otf
        font/collection ttc otc
        application/vnd.ms-fontobject eot
        application/zip zip
        application/gzip gz
        application/x-bzip2 bz2
        application/x-xz xz
        application/zstd zst
        application/x-lz4 lz4
        application/x-7z-compressed 7z
        application/vnd.rar rar
        application/x-tar tar
        application/vnd.ms-cab-compressed cab
        application/vnd.debian.binary-package deb udeb
        application/x-archive a
        application/x-rpm rpm
        application/x-lzip lz
        application/x-lzma lzma
        application/x-compress z
        application/x-cpio cpio
        application/x-xar xar pkg
        application/x-snappy-framed sz
        application/zlib zz
        application/x-lzh-compressed lha lzh
        application/x-arj arj
        application/x-chrome-extension crx
        application/x-apple-diskimage dmg
        application/x-iso9660-image iso
        application/java-archive jar
        application/vnd.android.package-archive apk
        application/x-xpinstall xpi
        application/epub+zip epub
        application/pdf pdf
        application/postscript ps eps ai
        application/rtf rtf
        application/msword doc dot
        application/vnd.ms-excel xls xlt
        application/vnd.ms-powerpoint ppt pps
        application/x-msi msi
        application/vnd.ms-outlook msg
        application/x-ole-storage ole
        application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
        application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
        application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
        application/vnd.ms-visio.drawing.main+xml vsdx
        application/vnd.oasis.opendocument.text odt
        application/vnd.oasis.opendocument.spreadsheet ods
        application/vnd.oasis.opendocument.presentation odp
        application/vnd.oasis.opendocument.graphics odg
        application/vnd.oasis.opendocument.formula odf
        application/x-mobipocket-ebook mobi prc
        application/vnd.ms-htmlhelp chm
        application/x-dvi dvi
        application/x-executable elf
        application/vnd.microsoft.portable-executable exe dll
        application/x-mach-binary macho dylib
        application/java-vm class
        application/wasm wasm
        application/x-dex dex
        application/x-llvm bc
        application/x-shockwave-flash swf
        application/vnd.sqlite3 sqlite sqlite3 db
        application/vnd.tcpdump.pcap pcap cap
        application/x-pcapng pcapng
        application/x-bittorrent torrent
        application/vnd.apache.parquet parquet
        application/vnd.apache.avro avro
        application/vnd.apache.arrow.file arrow
        application/x-hdf5 h5 hdf5
        application/x-netcdf nc cdf
        application/x-nes-rom nes
        application/x-blender blend
        model/gltf-binary glb
        model/gltf+json gltf
        model/stl stl
        model/obj obj
        application/x-bplist bplist
        application/x-plist plist
        application/x-ms-shortcut lnk
        application/vnd.ms-outlook-pst pst
        application/x-msaccess mdb accdb
        application/x-qemu-disk qcow2 qcow
        application/x-vmdk vmdk
        application/x-git-pack pack
        application/pgp-keys asc
        application/x-pem-file pem crt
        application/pkix-cert cer der
        application/x-pkcs12 p12 pfx
        application/octet-stream bin
        text/plain txt text log conf ini
        text/html html htm
        application/xhtml+xml xhtml xht
        application/xml xml xsd
        application/xslt+xml xslt xsl
        application/rss+xml rss
        application/atom+xml atom
        application/vnd.google-earth.kml+xml kml
        application/gpx+xml gpx
        application/dash+xml mpd
        application/json json map
        application/ld+json jsonld
        application/geo+json geojson
        application/manifest+json webmanifest
        application/x-ndjson ndjson jsonl
        application/yaml yaml yml
        application/toml toml
        application/sql sql
        application/graphql graphql gql
        application/vnd.apple.mpegurl m3u8
        audio/x-mpegurl m3u
        application/x-subrip srt
        application/mbox mbox
        message/rfc822 eml
        text/css css
        text/javascript js mjs cjs
        text/csv csv
        text/tab-separated-values tsv
        text/markdown md markdown
        text/vcard vcf vcard
        text/calendar ics ical
        text/vtt vtt
        text/x-shellscript sh bash
        text/x-python py
        text/x-perl pl pm
        text/x-ruby rb
        text/x-c c h
        text/x-c++ cpp cc hpp cxx
        text/x-java java
        text/x-swift swift
        text/x-php php
        text/x-diff diff patch
        text/x-tex tex latex
        text/typescript ts tsx mts cts
        text/x-rust rs
        text/x-go go
        """

    /// The types, with their usual extensions, by name.
    static let byType: [String: MimeType] = {
        var types: [String: MimeType] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count > 1, types[words[0]] == nil { types[words[0]] = MimeType(mime: words[0], ext: words[1]) }
        }
        return types
    }()

    /// The types by extension.
    static let byExtension: [String: MimeType] = {
        var types: [String: MimeType] = [:]
        for line in table.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for name in words.dropFirst() where types[name] == nil {
                types[name] = byType[words[0]]
            }
        }
        return types
    }()

    /// Returns a type with its usual extension; with `bin` if the table does not have the type.
    static func type(_ mime: String) -> MimeType { byType[mime] ?? MimeType(mime: mime, ext: "bin") }
}
