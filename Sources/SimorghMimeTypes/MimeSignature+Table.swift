// Simorgh, networking for Swift.
// Copyright (c) 2026 the Simorgh authors. SPDX-License-Identifier: MIT

extension MimeSignature {
    /// The signatures, the more specific before the more general: the first match counts.
    static let all: [MimeSignature] = table.split(separator: "\n").compactMap { MimeSignature($0) }

    static let table = """
        image/png 0:89'PNG'0D0A1A0A
        image/jpeg 0:FFD8FF
        image/gif 0:'GIF87a'
        image/gif 0:'GIF89a'
        image/webp 0:'RIFF' 8:'WEBP'
        audio/wav 0:'RIFF' 8:'WAVE'
        video/x-msvideo 0:'RIFF' 8:'AVI_'
        audio/midi 0:'RIFF' 8:'RMID'
        image/x-canon-cr2 0:'II'2A00 8:'CR'
        image/tiff 0:'II'2A00
        image/tiff 0:'MM'002A
        image/jxr 0:'II'BC
        image/bmp 0:'BM' 6:00000000 14:..000000
        image/vnd.adobe.photoshop 0:'8BPS'
        image/x-icon 0:00000100 9:00
        image/x-win-bitmap 0:00000200 9:00
        image/jxl 0:0000000C'JXL_'0D0A870A
        image/jxl 0:FF0A
        image/jp2 0:0000000C'jP__'0D0A870A 20:'jp2_'
        image/jpx 0:0000000C'jP__'0D0A870A 20:'jpx_'
        image/jpm 0:0000000C'jP__'0D0A870A 20:'jpm_'
        image/x-xcf 0:'gimp_xcf'
        image/vnd.ms-dds 0:'DDS_'7C000000
        image/x-exr 0:762F3101
        image/vnd.radiance 0:'#?RADIANCE'0A
        image/bpg 0:'BPG'FB
        image/flif 0:'FLIF'
        image/x-qoi 0:'qoif'
        image/x-icns 0:'icns'
        image/vnd.zbrush.pcx 0:0A0501
        image/wmf 0:D7CDC69A
        image/emf 0:01000000 40:'_EMF'
        image/ktx 0:AB'KTX_11'BB0D0A1A0A
        image/ktx2 0:AB'KTX_20'BB0D0A1A0A
        image/vnd.dwg 0:'AC10'
        image/vnd.djvu 0:'AT&TFORM'
        image/x-xpmi 0:'/*_XPM_*/'
        image/fits 0:'SIMPLE__=____________________T'
        application/dicom 128:'DICM'
        application/x-shockwave-flash 0:'FWS'
        application/x-shockwave-flash 0:'CWS'
        application/x-shockwave-flash 0:'ZWS'
        video/x-flv 0:'FLV'01
        video/x-ms-asf 0:3026B2758E66CF11A6D900AA0062CE6C
        video/mpeg 0:000001BA
        video/mpeg 0:000001B3
        video/mp2t 0:47 188:47 376:47
        video/mp2t 4:47 196:47 388:47
        application/mxf 0:060E2B34020501010D010201
        application/vnd.rn-realmedia 0:'.RMF'
        audio/mpeg 0:'ID3'
        audio/mpeg 0:FFFB
        audio/mpeg 0:FFFA
        audio/mpeg 0:FFF3
        audio/mpeg 0:FFF2
        audio/aac 0:FFF1
        audio/aac 0:FFF9
        audio/flac 0:'fLaC'
        audio/aiff 0:'FORM' 8:'AIFF'
        audio/aiff 0:'FORM' 8:'AIFC'
        audio/midi 0:'MThd'
        audio/amr 0:'#!AMR'
        audio/ac3 0:0B77
        audio/x-ape 0:'MAC_'
        audio/x-wavpack 0:'wvPK'
        audio/basic 0:'.snd'
        audio/x-caf 0:'caff'
        audio/x-dsf 0:'DSD_'
        audio/x-mod 0:'Extended_Module:'
        font/woff 0:'wOFF'
        font/woff2 0:'wOF2'
        application/vnd.ms-fontobject 8:01000200 34:'LP'
        application/vnd.ms-fontobject 8:02000200 34:'LP'
        application/vnd.ms-fontobject 8:00000100 34:'LP'
        font/ttf 0:0001000000
        font/ttf 0:'true'00
        font/otf 0:'OTTO'00
        font/collection 0:'ttcf'00
        application/gzip 0:1F8B
        application/x-bzip2 0:'BZh'
        application/x-xz 0:FD'7zXZ'00
        application/zstd 0:28B52FFD
        application/x-lz4 0:04224D18
        application/x-7z-compressed 0:'7z'BCAF271C
        application/vnd.rar 0:'Rar!'1A07
        application/vnd.ms-cab-compressed 0:'MSCF'00000000
        application/vnd.debian.binary-package 0:'!<arch>'0A'debian'
        application/x-archive 0:'!<arch>'0A
        application/x-rpm 0:EDABEEDB
        application/x-lzip 0:'LZIP'
        application/x-compress 0:1F9D
        application/x-cpio 0:'070701'
        application/x-cpio 0:'070702'
        application/x-cpio 0:'070707'
        application/x-cpio 0:C771
        application/x-xar 0:'xar!'
        application/x-snappy-framed 0:FF060000'sNaPpY'
        application/x-lzh-compressed 2:'-lh'..'-'
        application/x-arj 0:60EA
        application/x-chrome-extension 0:'Cr24'
        application/pdf 0:'%PDF-'
        application/pdf 0:EFBBBF'%PDF-'
        application/postscript 0:'%!PS'
        application/rtf 0:'{\\rtf'
        application/x-ole-storage 0:D0CF11E0A1B11AE1
        application/x-mobipocket-ebook 60:'BOOKMOBI'
        application/vnd.ms-htmlhelp 0:'ITSF'
        application/x-dvi 0:F702
        application/x-executable 0:7F'ELF'
        application/vnd.microsoft.portable-executable 0:'MZ'
        application/x-mach-binary 0:CFFAEDFE
        application/x-mach-binary 0:CEFAEDFE
        application/x-mach-binary 0:FEEDFACF
        application/x-mach-binary 0:FEEDFACE
        application/x-mach-binary 0:CAFEBABE00000001
        application/x-mach-binary 0:CAFEBABE00000002
        application/x-mach-binary 0:CAFEBABE00000003
        application/x-mach-binary 0:CAFEBABE00000004
        application/java-vm 0:CAFEBABE0000
        application/java-vm 0:CAFEBABE0003
        application/wasm 0:00'asm'
        application/x-dex 0:'dex'0A'0'
        application/x-llvm 0:'BC'C0DE
        application/vnd.sqlite3 0:'SQLite_format_3'00
        application/vnd.tcpdump.pcap 0:D4C3B2A1
        application/vnd.tcpdump.pcap 0:A1B2C3D4
        application/x-pcapng 0:0A0D0D0A 8:4D3C2B1A
        application/x-pcapng 0:0A0D0D0A 8:1A2B3C4D
        application/x-bittorrent 0:'d8:announce'
        application/vnd.apache.parquet 0:'PAR1'
        application/vnd.apache.avro 0:'Obj'01
        application/vnd.apache.arrow.file 0:'ARROW1'
        application/x-hdf5 0:89'HDF'0D0A1A0A
        application/x-netcdf 0:'CDF'01
        application/x-netcdf 0:'CDF'02
        application/x-nes-rom 0:'NES'1A
        application/x-blender 0:'BLENDER'
        model/gltf-binary 0:'glTF'02
        application/x-bplist 0:'bplist'
        application/x-ms-shortcut 0:4C0000000114020000000000C000000000000046
        application/vnd.ms-outlook-pst 0:'!BDN'
        application/x-msaccess 0:00010000'Standard_Jet_DB'
        application/x-msaccess 0:00010000'Standard_ACE_DB'
        application/x-qemu-disk 0:'QFI'FB
        application/x-vmdk 0:'KDMV'
        application/x-git-pack 0:'PACK'000000
        application/x-tar 257:'ustar'
        application/x-lzma 0:5D0000 12:00
        application/zlib 0:7801
        application/zlib 0:785E
        application/zlib 0:789C
        application/zlib 0:78DA
        """
}
