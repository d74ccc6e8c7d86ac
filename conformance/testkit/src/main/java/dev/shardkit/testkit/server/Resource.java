package dev.shardkit.testkit.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.zip.CRC32;

/**
 * The object that a {@link RangeServer} serves under one key.
 *
 * @param size the size in bytes
 * @param etag the ETag without quotes
 * @param modified the time of the last change
 * @param open opens the content at an offset
 */
record Resource(long size, String etag, Instant modified, From open) {
    /** Opens the object at an offset. */
    @FunctionalInterface
    interface From {
        InputStream at(long offset) throws IOException;
    }

    static Resource of(byte[] value, Instant modified) {
        byte[] bytes = value.clone();
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return new Resource(
                bytes.length,
                Long.toHexString(sum.getValue()) + "-" + bytes.length,
                modified,
                offset -> new ByteArrayInputStream(bytes, (int) offset, bytes.length - (int) offset));
    }

    static Resource of(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Instant modified = attributes.lastModifiedTime().toInstant();
        String etag = Long.toHexString(attributes.size()) + "-" + modified.getEpochSecond() + "." + modified.getNano()
                + "-" + Math.abs(String.valueOf(attributes.fileKey()).hashCode());
        return new Resource(attributes.size(), etag, modified, offset -> {
            SeekableByteChannel channel = Files.newByteChannel(file);
            return Channels.newInputStream(channel.position(offset));
        });
    }
}
