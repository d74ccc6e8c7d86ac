package dev.shardkit.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/** A shard file with a checksummed index at its end, taken apart and put together again by hand. */
public final class RawShard {
    private final Path file;
    private final int count;
    private byte[] body;
    private final long[] entries;

    private RawShard(Path file, int count, byte[] bytes) {
        this.file = file;
        this.count = count;
        int index = 16 * count + 4;
        this.body = Arrays.copyOf(bytes, bytes.length - index);
        this.entries = new long[2 * count];
        ByteBuffer.wrap(bytes, body.length, 16 * count)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asLongBuffer()
                .get(entries);
    }

    /** The shard in {@code file}, of {@code count} inner chunks. */
    public static RawShard of(Path file, int count) throws IOException {
        return new RawShard(file, count, Files.readAllBytes(file));
    }

    /** The entry of inner chunk {@code i}. */
    public RawShard entry(int i, long offset, long size) {
        entries[2 * i] = offset;
        entries[2 * i + 1] = size;
        return this;
    }

    public long offset(int i) {
        return entries[2 * i];
    }

    public long size(int i) {
        return entries[2 * i + 1];
    }

    /** Bytes before the index. */
    public int length() {
        return body.length;
    }

    /** Puts {@code count} bytes at {@code at}; entries behind move with theirs. */
    public RawShard insert(int at, int count) {
        byte[] longer = new byte[body.length + count];
        System.arraycopy(body, 0, longer, 0, at);
        Arrays.fill(longer, at, at + count, (byte) 'x');
        System.arraycopy(body, at, longer, at + count, body.length - at);
        body = longer;
        for (int i = 0; i < this.count; i++) {
            if (entries[2 * i] >= at) {
                entries[2 * i] += count;
            }
        }
        return this;
    }

    /** Turns the bits of one byte. */
    public RawShard flip(int at) {
        body[at] ^= (byte) 0xff;
        return this;
    }

    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(body.length + 16 * count + 4)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(body);
        for (long word : entries) {
            bytes.putLong(word);
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), body.length, 16 * count);
        return bytes.putInt((int) crc.getValue()).array();
    }

    public void write() throws IOException {
        Files.write(file, bytes());
    }
}
