package dev.shardkit.codec.zstd.decoder;

import dev.shardkit.codec.zstd.entropy.HuffmanTable;
import dev.shardkit.codec.zstd.frame.MalformedFrame;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;

/**
 * A dictionary of Zstandard (RFC 8878, section 5): content to which frames may refer. A trained dictionary also has the
 * tables and repeated offsets with which frames begin. Keeps the array from which it was read, which must not change.
 * Immutable.
 */
public final class ZstdDictionary {
    /** No dictionary. */
    public static final ZstdDictionary NONE = new ZstdDictionary(new HeapBytes(new byte[0], 0, 0));

    /** The first four bytes of a trained dictionary. */
    private static final int MAGIC = 0xEC30A437;
    /** The size of the magic number and the id. */
    private static final int HEADER = 2 * Integer.BYTES;

    private final HuffmanTable huffman = new HuffmanTable();
    private final Sequences sequences = new Sequences();
    private final HeapBytes content;
    private final long id;

    private ZstdDictionary(HeapBytes in) {
        byte[] array = in.array();
        if (in.size() < HEADER || Words.int32(array, in.from()) != MAGIC) {
            content = in;
            id = 0;
            return;
        }
        id = Words.int32(array, in.from() + Integer.BYTES) & 0xffffffffL;
        int tables = huffman.read(array, in.from() + HEADER, in.to());
        content = new HeapBytes(array, sequences.readDictionary(array, tables, in.to()), in.to());
    }

    /**
     * Reads a dictionary. Bytes that do not begin with the magic number of a trained dictionary are content.
     *
     * @throws CorruptDataException if a trained dictionary is invalid
     */
    public static ZstdDictionary of(HeapBytes in) {
        try {
            return new ZstdDictionary(in);
        } catch (MalformedFrame e) {
            throw new CorruptDataException(
                    "zstd dictionary: at byte " + (e.position() - in.from()) + ": " + e.getMessage(), e);
        } catch (IndexOutOfBoundsException e) {
            throw new CorruptDataException("zstd dictionary: its tables cannot be decoded: " + e, e);
        }
    }

    HuffmanTable huffman() {
        return huffman;
    }

    Sequences sequences() {
        return sequences;
    }

    /** Returns the number of bytes of the content. */
    public int contentSize() {
        return content.size();
    }

    /** Copies the content to {@code out}, from {@code offset} on. */
    public void copyContent(byte[] out, int offset) {
        System.arraycopy(content.array(), content.from(), out, offset, content.size());
    }

    /** Rejects a frame that needs the dictionary with another id; 0 means that the frame names none. */
    void check(long needed) {
        if (needed == 0 || needed == id) {
            return;
        }
        if (this == NONE) {
            throw new UnsupportedException("zstd: a frame needs dictionary " + needed + "; Zarr has no dictionaries");
        }
        throw new CorruptDataException("zstd: expected a frame of dictionary " + id + ", found one of " + needed);
    }
}
