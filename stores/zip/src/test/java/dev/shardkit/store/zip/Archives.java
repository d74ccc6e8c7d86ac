package dev.shardkit.store.zip;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Archives by the JDK, as other programs would write them. */
final class Archives {
    private Archives() {}

    static byte[] stored(Map<String, byte[]> objects) throws IOException {
        return stored(objects, new byte[0]);
    }

    /** Entries with an extra field in their local headers, which the directory does not have. */
    static byte[] stored(Map<String, byte[]> objects, byte[] extra) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                CRC32 sum = new CRC32();
                sum.update(object.getValue());
                ZipEntry entry = new ZipEntry(object.getKey());
                entry.setMethod(ZipEntry.STORED);
                entry.setSize(object.getValue().length);
                entry.setCrc(sum.getValue());
                if (extra.length > 0) {
                    entry.setExtra(extra);
                }
                zip.putNextEntry(entry);
                zip.write(object.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    static byte[] deflated(Map<String, byte[]> objects) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> object : objects.entrySet()) {
                zip.putNextEntry(new ZipEntry(object.getKey()));
                zip.write(object.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
