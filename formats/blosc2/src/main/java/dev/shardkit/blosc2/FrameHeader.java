package dev.shardkit.blosc2;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The header of a Blosc2 frame (README_CFRAME_FORMAT.rst, "Header"). It is a MessagePack list; the numbers in this
 * class are indexes into that list and bits of its flags. Immutable.
 *
 * @param size the size of the header in bytes
 * @param layout the layout of the frame
 * @param nbytes the decoded size of all chunks in bytes
 * @param cbytes the size of the chunks in the frame in bytes
 * @param typesize the size of an element in bytes
 * @param chunkSize the decoded size of a chunk in bytes
 * @param hasMoreMetalayers whether the trailer has further metalayers (vlmeta)
 * @param metalayers the content of the metalayers of the header, by name
 */
record FrameHeader(
        int size,
        Layout layout,
        long nbytes,
        long cbytes,
        int typesize,
        long chunkSize,
        boolean hasMoreMetalayers,
        Map<String, byte[]> metalayers) {
    /** How many bytes from the start of a frame are needed to know the size of its header. */
    static final int START_BYTES = 15;

    /** The maximum size of an accepted header. */
    static final int MAX_SIZE = 1 << 24;

    private static final byte[] MAGIC = "b2frame\0".getBytes(StandardCharsets.US_ASCII);
    private static final int MAGIC_OFFSET = 2;
    private static final int SIZE_OFFSET = 11;
    private static final int OFFSETS_OF_64_BITS = 1;
    /** The number of members in frames before version 2 of the format, which have no block size. */
    private static final int MEMBERS_BEFORE_VERSION_2 = 13;

    private static final int MAX_TYPESIZE = 1 << 20;

    /** The layout of a frame: one file, or a folder with a file for each chunk. */
    enum Layout {
        CONTIGUOUS,
        SPARSE
    }

    /** Reads the size of the header from its first bytes. */
    static int readSize(byte[] start) {
        if (start.length < START_BYTES
                || !Arrays.equals(start, MAGIC_OFFSET, MAGIC_OFFSET + MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new CorruptDataException("blosc2 frame: expected a file that begins with b2frame, found another");
        }
        int size = ByteBuffer.wrap(start).getInt(SIZE_OFFSET);
        if (size < START_BYTES || size > MAX_SIZE) {
            throw new CorruptDataException(
                    "blosc2 frame: expected a header of at most " + MAX_SIZE + " bytes, found " + size);
        }
        return size;
    }

    /** Decodes a whole header. */
    static FrameHeader decode(byte[] header) {
        List<?> members = new MsgPack(header).readValue(List.class, "a list");
        int missingMembers = members.size() == MEMBERS_BEFORE_VERSION_2 ? 1 : 0;
        if (members.size() < MEMBERS_BEFORE_VERSION_2) {
            throw new CorruptDataException("blosc2 frame: expected a header of at least " + MEMBERS_BEFORE_VERSION_2
                    + " members, found " + members.size());
        }
        byte[] flags = MsgPack.cast(members.get(3), String.class, "flags").getBytes(StandardCharsets.ISO_8859_1);
        if (flags.length != Integer.BYTES || flags[1] < 0 || (flags[1] & 15) > 1) {
            throw new CorruptDataException("blosc2 frame: expected 4 bytes of flags of a contiguous or sparse frame,"
                    + " found " + Arrays.toString(flags));
        }
        if ((flags[0] >> 4 & 3) != OFFSETS_OF_64_BITS) {
            throw new UnsupportedException("blosc2 frame: expected chunk offsets of 64 bits, found others");
        }
        boolean hasVariableChunks = (flags[0] & 1 << 6) != 0;
        if (hasVariableChunks) {
            throw new UnsupportedException("blosc2 frame: chunks of variable length are not supported");
        }
        return new FrameHeader(
                header.length,
                (flags[1] & 15) == 0 ? Layout.CONTIGUOUS : Layout.SPARSE,
                nonNegative(members, 4),
                nonNegative(members, 5),
                readTypesize(members),
                nonNegative(members, 8 - missingMembers),
                Boolean.TRUE.equals(members.get(11 - missingMembers)),
                readMetalayers(members.get(13 - missingMembers)));
    }

    private static int readTypesize(List<?> members) {
        long typesize = nonNegative(members, 6);
        if (typesize < 1 || typesize > MAX_TYPESIZE) {
            throw new CorruptDataException("blosc2 frame: expected elements of 1 byte to 1 MiB, found " + typesize);
        }
        return (int) typesize;
    }

    private static long nonNegative(List<?> members, int index) {
        long number = MsgPack.cast(members.get(index), Long.class, "a number");
        if (number < 0) {
            throw new CorruptDataException("blosc2 frame: expected a number of at least 0, found " + number);
        }
        return number;
    }

    /**
     * Reads the metalayers: the size of the map, a map of names to offsets, and the contents in the order of the map.
     */
    private static Map<String, byte[]> readMetalayers(Object value) {
        List<?> members = MsgPack.cast(value, List.class, "a list of metalayers");
        if (members.size() != 3) {
            throw new CorruptDataException("blosc2 frame: expected metalayers of 3 members, found " + members.size());
        }
        Map<?, ?> names = MsgPack.cast(members.get(1), Map.class, "a map of metalayers");
        List<?> contents = MsgPack.cast(members.get(2), List.class, "a list of metalayers");
        if (names.size() != contents.size()) {
            throw new CorruptDataException(
                    "blosc2 frame: expected " + names.size() + " metalayers, found " + contents.size());
        }
        Map<String, byte[]> layers = new LinkedHashMap<>();
        int i = 0;
        for (Object name : names.keySet()) {
            layers.put(
                    MsgPack.cast(name, String.class, "the name of a metalayer"),
                    MsgPack.cast(contents.get(i++), byte[].class, "the bytes of a metalayer"));
        }
        return layers;
    }
}
