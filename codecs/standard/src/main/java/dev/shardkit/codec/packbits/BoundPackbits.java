package dev.shardkit.codec.packbits;

import dev.shardkit.codec.support.StoredNumbers;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.codec.ChunkCodec;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The {@code packbits} codec bound to one chunk type: stores only some bits of each number, without gaps between
 * numbers. A word is the memory of one number before packing.
 */
final class BoundPackbits implements ChunkCodec {
    private final ChunkType type;
    private final NumberFormat format;
    /** The index of the lowest bit of each number that is stored. */
    private final int lowBit;
    /** The number of bits that are stored of each number. */
    private final int width;

    /** Where the number of padding bits is stored, if at all. */
    private final PackbitsCodec.Padding padding;

    private final int wordSize;
    private final int wordCount;
    /** The size of the packed numbers in bytes, without a stored number of padding bits. */
    private final int packedBytes;
    /** The number of bits after the last number, which fill its byte. */
    private final int paddingBits;

    BoundPackbits(ChunkType type, NumberFormat format, int lowBit, int width, PackbitsCodec.Padding padding) {
        this.type = type;
        this.format = format;
        this.lowBit = lowBit;
        this.width = width;
        this.padding = padding;
        this.wordSize = type.dataType().carrier().wordSize();
        this.wordCount = Math.toIntExact(type.decodedSize().orElseThrow() / wordSize);
        long bits = Math.multiplyExact((long) wordCount, (long) width);
        this.packedBytes = Math.toIntExact((bits + 7) / 8);
        this.paddingBits = (int) (8L * packedBytes - bits);
    }

    private boolean isPaddingCountStored() {
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
        return packedBytes + (isPaddingCountStored() ? 1L : 0);
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        int size = wordCount * wordSize;
        ByteBuffer plain = ByteBuffer.wrap(scratch.borrow(size), 0, size);
        Elements.Fixed elements = Elements.Fixed.of(type.dataType(), plain, ByteOrder.LITTLE_ENDIAN);
        chunk.get(type.box(), elements, 0, Shapes.strides(type.shape()));
        if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP
                && DenseChunk.of(type, elements).isFill()) {
            return Optional.empty();
        }
        byte[] out = new byte[Math.toIntExact(maxEncodedSize())];
        int start = padding == PackbitsCodec.Padding.FIRST_BYTE ? 1 : 0;
        pack(elements.bytes(), out, start);
        if (isPaddingCountStored()) {
            out[start == 1 ? 0 : packedBytes] = (byte) paddingBits;
        }
        return Optional.of(Bytes.of(out));
    }

    /** Writes the stored bits of each number to the bytes from {@code start} on, the lowest bit first. */
    private void pack(ByteBuffer in, byte[] out, int start) {
        long mask = -1L >>> 64 - width;
        // the bits of the incomplete byte
        int pendingBits = 0;
        int pendingCount = 0;
        int position = start;
        for (int i = 0; i < wordCount; i++) {
            long bits = StoredNumbers.word(in, wordSize, i) >>> lowBit & mask;
            int remaining = width;
            while (pendingCount + remaining >= 8) {
                out[position++] = (byte) (pendingBits | bits << pendingCount);
                bits >>>= 8 - pendingCount;
                remaining -= 8 - pendingCount;
                pendingBits = 0;
                pendingCount = 0;
            }
            pendingBits |= (int) (bits << pendingCount);
            pendingCount += remaining;
        }
        if (pendingCount > 0) {
            out[position] = (byte) pendingBits;
        }
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        if (encoded.size() != maxEncodedSize()) {
            throw corrupt(maxEncodedSize() + " bytes for a chunk of " + type, encoded.size() + "");
        }
        ByteBuffer in = encoded.buffer();
        int start = in.position() + (padding == PackbitsCodec.Padding.FIRST_BYTE ? 1 : 0);
        if (isPaddingCountStored()) {
            int storedCount =
                    in.get(padding == PackbitsCodec.Padding.FIRST_BYTE ? in.position() : in.limit() - 1) & 0xff;
            if (storedCount != paddingBits) {
                throw corrupt(paddingBits + " bits of padding", storedCount + "");
            }
        }
        int size = wordCount * wordSize;
        Elements.Fixed elements = Elements.Fixed.of(
                type.dataType(), ByteBuffer.wrap(scratch.borrow(size), 0, size), ByteOrder.LITTLE_ENDIAN);
        unpack(in, start, elements.bytes());
        type.dataType().check(elements);
        out.put(elements, part.firstIn(type.shape()), Shapes.strides(type.shape()), Box.of(part.shape()));
    }

    /** Reads the numbers whose bits begin at the byte {@code start}. */
    private void unpack(ByteBuffer in, int start, ByteBuffer out) {
        boolean signed = format instanceof IntegerFormat w && w.isSigned();
        long mask = -1L >>> 64 - width;
        // the bits of the last byte read that belong to the next number; fewer than 8
        int pendingBits = 0;
        int pendingCount = 0;
        int position = start;
        for (int i = 0; i < wordCount; i++) {
            long bits = pendingBits;
            int bitCount = pendingCount;
            while (bitCount < width) {
                int storedByte = in.get(position++) & 0xff;
                bits |= (long) storedByte << bitCount;
                pendingBits = storedByte >>> Math.max(0, Math.min(8, width - bitCount));
                bitCount += 8;
            }
            if (pendingCount >= width) { // the number was in the pending bits: no byte was read
                pendingBits >>>= width;
            }
            pendingCount = bitCount - width;
            long value = bits & mask;
            // the shifts to the left and back extend the sign
            StoredNumbers.setWord(
                    out, wordSize, i, extended((signed ? value << 64 - width >> 64 - width : value) << lowBit));
        }
    }

    /**
     * Returns the word of a decoded number. If the type has fewer bits than the word, sets the unused bits to their
     * canonical values.
     */
    private long extended(long bits) {
        return format instanceof IntegerFormat w ? w.value(bits) : format.cut(bits);
    }

    private static CorruptDataException corrupt(String expected, String actual) {
        return new CorruptDataException("codec " + PackbitsCodec.NAME + ": expected " + expected + ", found " + actual);
    }
}
