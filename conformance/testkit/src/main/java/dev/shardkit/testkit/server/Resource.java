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
 * @param etag the opaque part of its ETag
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
        BasicFileAttributes facts = Files.readAttributes(file, BasicFileAttributes.class);
        Instant modified = facts.lastModifiedTime().toInstant();
        String etag = Long.toHexString(facts.size()) + "-" + modified.getEpochSecond() + "." + modified.getNano() + "-"
                + Math.abs(String.valueOf(facts.fileKey()).hashCode());
        return new Resource(facts.size(), etag, modified, offset -> {
            SeekableByteChannel channel = Files.newByteChannel(file);
            return Channels.newInputStream(channel.position(offset));
        });
    }
}
