package dev.shardkit.codec.lzma;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.shardkit.codec.lzma.LzmaCodec.Check;
import dev.shardkit.codec.lzma.LzmaCodec.Format;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.testkit.internal.Rounds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.DeltaOptions;
import org.tukaani.xz.FilterOptions;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAOutputStream;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/** Streams whose dictionaries are larger than their content, as Python writes them and as attackers may. */
class LzmaTest {
    private static final int LARGEST = 32 << 20;
    private static final int SIZE = 10_000;
    /** What a decoder of SIZE bytes may allocate: probabilities, buffers and a dictionary for each of six blocks. */
    private static final long FEW_BYTES = 1_000_000;

    private static byte[] content() {
        byte[] content = new byte[SIZE];
        Random random = new Random(5);
        for (int i = 0; i < SIZE; i++) {
            content[i] = (byte) (i % 3000 < 1500 ? i / 7 : random.nextInt(5));
        }
        return content;
    }

    private static LZMA2Options large() throws IOException {
        LZMA2Options options = new LZMA2Options(1);
        options.setDictSize(LARGEST);
        return options;
    }

    /** Writes blocks of 2500 bytes. */
    private static byte[] xz(byte[] content, int check) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (XZOutputStream xz = new XZOutputStream(out, new FilterOptions[] {new DeltaOptions(2), large()}, check)) {
            for (int at = 0; at < content.length; at += 2500) {
                xz.write(content, at, Math.min(2500, content.length - at));
                xz.endBlock();
            }
        }
        return out.toByteArray();
    }

    private static byte[] decode(Format format, byte[] stream, DecodedSize size) {
        LzmaFilters filters = new LzmaFilters(new Json.Null(), new Json.Null(), 0, 1, LARGEST);
        try (Scratch scratch = new Scratch()) {
            return new LzmaCodec(format, Check.USUAL, filters)
                    .decode(Bytes.of(stream), size, scratch)
                    .toArray();
        }
    }

    private static byte[] reads(Format format, byte[] stream, int size) {
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        byte[] found = {};
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long before = thread.getThreadAllocatedBytes(id);
            found = decode(format, stream, DecodedSize.exactly(size));
            least = Math.min(least, thread.getThreadAllocatedBytes(id) - before);
        }
        long allocated = least;
        assertTrue(allocated < FEW_BYTES, () -> format + ": " + allocated + " bytes allocated");
        return found;
    }

    @ParameterizedTest
    @ValueSource(ints = {XZ.CHECK_NONE, XZ.CHECK_CRC32, XZ.CHECK_CRC64, XZ.CHECK_SHA256})
    void blocksAndStreams_withLargeDictionaries_takeLittleMemory(int check) throws IOException {
        byte[] content = content();
        byte[] first = xz(Arrays.copyOf(content, 5500), check);
        byte[] second = xz(Arrays.copyOfRange(content, 5500, SIZE), check);
        byte[] both = Arrays.copyOf(first, first.length + 8 + second.length); // with padding
        System.arraycopy(second, 0, both, first.length + 8, second.length);
        assertArrayEquals(content, reads(Format.XZ, both, SIZE));
    }

    @Test
    void otherFormats_withLargeDictionaries_takeLittleMemory() throws IOException {
        ByteArrayOutputStream alone = new ByteArrayOutputStream();
        try (OutputStream out = new LZMAOutputStream(alone, large(), -1)) {
            out.write(content());
        }
        assertArrayEquals(content(), reads(Format.ALONE, alone.toByteArray(), SIZE));
        ByteArrayOutputStream raw = new ByteArrayOutputStream();
        try (OutputStream out = large().getOutputStream(new org.tukaani.xz.FinishableWrapperOutputStream(raw))) {
            out.write(content());
        }
        assertArrayEquals(content(), reads(Format.RAW, raw.toByteArray(), SIZE));
    }

    /** A match may reach back to the first byte of the content. */
    @Test
    void matchesOverAllOfTheContent_areRead() throws IOException {
        byte[] content = new byte[(1 << 16) + 1000];
        new Random(9).nextBytes(content);
        System.arraycopy(content, 0, content, 1 << 16, 1000);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (XZOutputStream xz = new XZOutputStream(out, large())) {
            xz.write(content);
        }
        assertTrue(out.size() < content.length - 500);
        assertArrayEquals(content, decode(Format.XZ, out.toByteArray(), DecodedSize.atMost(content.length)));
    }

    @ParameterizedTest
    @EnumSource(Format.class)
    void damagedStreams_areDeclaredErrors(Format format) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (format == Format.XZ) {
            out.write(xz(content(), XZ.CHECK_CRC32));
        } else {
            try (Scratch scratch = new Scratch()) {
                LzmaFilters filters = new LzmaFilters(new Json.Null(), new Json.Null(), 0, 1, LARGEST);
                out.write(new LzmaCodec(format, Check.USUAL, filters)
                        .encode(Bytes.of(content()), scratch)
                        .toArray());
            }
        }
        byte[] good = out.toByteArray();
        long seed = 31;
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < Rounds.of(100); i++) {
            byte[] bad = i % 3 == 0 ? Arrays.copyOf(good, random.nextInt(good.length)) : good.clone();
            for (int k = 0; k < i % 3 && bad.length > 0; k++) {
                bad[random.nextInt(i % 2 == 0 ? Math.min(40, bad.length) : bad.length)] = (byte) random.nextInt();
            }
            try {
                assertEquals(SIZE, decode(format, bad, DecodedSize.exactly(SIZE)).length);
            } catch (ZarrException e) {
                refused++;
            }
        }
        assertTrue(refused > Rounds.of(50), "seed " + seed + ": " + refused);
        assertThrows(CorruptDataException.class, () -> decode(format, good, DecodedSize.exactly(SIZE - 1)));
    }
}
