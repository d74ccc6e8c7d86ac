package dev.shardkit.codec.packbits;

import dev.shardkit.codec.support.Numbers;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.array.WholeFormat;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.WritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/** The {@code packbits} codec bound to one chunk type. */
final class BoundPackbits implements ChunkCodec {
    private final ChunkType type;
    private final NumberFormat format;
    private final int first;
    private final int width;
    private final PackbitsCodec.Padding padding;
    private final int wordSize;
    private final int words;
    private final int packed;
    private final int unused;

    BoundPackbits(ChunkType type, NumberFormat format, int first, int width, PackbitsCodec.Padding padding) {
        this.type = type;
        this.format = format;
        this.first = first;
        this.width = width;
        this.padding = padding;
        this.wordSize = type.dataType().carrier().wordSize();
        this.words = Math.toIntExact(type.decodedSize().orElseThrow() / wordSize);
        long bits = Math.multiplyExact((long) words, (long) width);
        this.packed = Math.toIntExact((bits + 7) / 8);
        this.unused = (int) (8L * packed - bits);
    }

    private boolean isPaddingStored() {
        return padding != PackbitsCodec.Padding.NONE;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        return OptionalLong.of(maxEncodedSize());
    }

    @Override
    public long maxEncodedSize() {
        return packed + (isPaddingStored() ? 1L : 0);
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        int size = words * wordSize;
        ByteBuffer plain = ByteBuffer.wrap(scratch.borrow(size), 0, size);
        Elements.Fixed elements = Elements.Fixed.of(type.dataType(), plain, ByteOrder.LITTLE_ENDIAN);
        chunk.get(type.box(), elements, 0, Shapes.strides(type.shape()));
        if (policy.emptyChunks() == WritePolicy.EmptyChunks.DROP
                && DenseChunk.of(type, elements).isFill()) {
            return Optional.empty();
        }
        byte[] out = new byte[Math.toIntExact(maxEncodedSize())];
        int start = padding == PackbitsCodec.Padding.FIRST_BYTE ? 1 : 0;
        pack(elements.bytes(), out, start);
        if (isPaddingStored()) {
            out[start == 1 ? 0 : packed] = (byte) unused;
        }
        return Optional.of(Bytes.of(out));
    }

    private void pack(ByteBuffer in, byte[] out, int start) {
        long kept = -1L >>> 64 - width;
        // the bits of the incomplete byte
        int waiting = 0;
        int count = 0;
        int at = start;
        for (int i = 0; i < words; i++) {
            long bits = Numbers.word(in, wordSize, i) >>> first & kept;
            int left = width;
            while (count + left >= 8) {
                out[at++] = (byte) (waiting | bits << count);
                bits >>>= 8 - count;
                left -= 8 - count;
                waiting = 0;
                count = 0;
            }
            waiting |= (int) (bits << count);
            count += left;
        }
        if (count > 0) {
            out[at] = (byte) waiting;
        }
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        if (encoded.size() != maxEncodedSize()) {
            throw wrong(maxEncodedSize() + " bytes for a chunk of " + type, encoded.size() + "");
        }
        ByteBuffer in = encoded.buffer();
        int start = in.position() + (padding == PackbitsCodec.Padding.FIRST_BYTE ? 1 : 0);
        if (isPaddingStored()) {
            int found = in.get(padding == PackbitsCodec.Padding.FIRST_BYTE ? in.position() : in.limit() - 1) & 0xff;
            if (found != unused) {
                throw wrong(unused + " bits of padding", found + "");
            }
        }
        int size = words * wordSize;
        Elements.Fixed elements = Elements.Fixed.of(
                type.dataType(), ByteBuffer.wrap(scratch.borrow(size), 0, size), ByteOrder.LITTLE_ENDIAN);
        unpack(in, start, elements.bytes());
        type.dataType().check(elements);
        out.put(elements, part.firstIn(type.shape()), Shapes.strides(type.shape()), Box.of(part.shape()));
    }

    private void unpack(ByteBuffer in, int start, ByteBuffer out) {
        boolean signed = format instanceof WholeFormat w && w.isSigned();
        long kept = -1L >>> 64 - width;
        // the bits of the last byte read that belong to the next number; fewer than 8
        int waiting = 0;
        int count = 0;
        int at = start;
        for (int i = 0; i < words; i++) {
            long bits = waiting;
            int had = count;
            while (had < width) {
                int next = in.get(at++) & 0xff;
                bits |= (long) next << had;
                waiting = next >>> Math.max(0, Math.min(8, width - had));
                had += 8;
            }
            if (count >= width) {
                waiting >>>= width;
            }
            count = had - width;
            long value = bits & kept;
            Numbers.setWord(out, wordSize, i, extended((signed ? value << 64 - width >> 64 - width : value) << first));
        }
    }

    /** Returns the stored word: if the number has fewer bits than its word, the type defines the others. */
    private long extended(long bits) {
        return format instanceof WholeFormat w ? w.value(bits) : format.cut(bits);
    }

    private static CorruptDataException wrong(String expected, String found) {
        return new CorruptDataException("codec " + PackbitsCodec.NAME + ": expected " + expected + ", found " + found);
    }
}
