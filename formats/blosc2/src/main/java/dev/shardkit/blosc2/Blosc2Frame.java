package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.kernel.HeapBytes;
import dev.shardkit.spi.kernel.Words;
import dev.shardkit.spi.plan.Scratch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A frame: its header and the index of its chunks (README_CFRAME_FORMAT.rst, README_SFRAME_FORMAT.rst). It becomes
 * references: a document of Zarr v3, and the place of each chunk. Used by one thread.
 *
 * @param header its header
 * @param array its array
 * @param offsets where its chunks are
 */
record Blosc2Frame(FrameHeader header, B2ndArray array, long[] offsets) {
    /** More chunks would not fit into a document of references. */
    private static final long MAX_CHUNKS = 2_000_000;

    private static final int KIND = 56;
    private static final int ZEROS = 1;
    private static final int NANS = 2;
    private static final int UNINIT = 4;

    /** Reads bytes of the file; fewer if it ends. */
    interface Bytes {
        /** Reads {@code length} bytes from {@code offset}. */
        byte[] read(long offset, int length) throws IOException;
    }

    static Blosc2Frame read(Bytes file) throws IOException {
        byte[] start = file.read(0, FrameHeader.START);
        int size = FrameHeader.size(start);
        byte[] bytes = whole(file, 0, size, "the header");
        FrameHeader header = FrameHeader.decode(bytes);
        B2ndArray array = B2ndArray.of(header);
        long chunks = count(array.shapes().cells());
        return new Blosc2Frame(header, array, chunks == 0 ? new long[0] : offsets(file, header, (int) chunks));
    }

    private static long count(long[] cells) {
        long count = 1;
        for (long n : cells) {
            if (n > MAX_CHUNKS / Math.max(1, count)) {
                throw new UnsupportedException("b2nd: expected at most " + MAX_CHUNKS + " chunks, found more");
            }
            count *= n;
        }
        return count;
    }

    private static byte[] whole(Bytes file, long offset, int length, String what) throws IOException {
        byte[] bytes = file.read(offset, length);
        if (bytes.length != length) {
            throw new CorruptDataException("blosc2 frame: expected " + length + " bytes of " + what + " at byte "
                    + offset + ", found " + bytes.length);
        }
        return bytes;
    }

    /** Reads the index of chunks, which is a chunk itself. */
    private static long[] offsets(Bytes file, FrameHeader header, int chunks) throws IOException {
        long at = header.size() + (header.layout() == FrameHeader.Layout.SPARSE ? 0 : header.cbytes());
        if (at < 0) {
            throw new CorruptDataException("blosc2 frame: expected an index of chunks, found none");
        }
        byte[] start = whole(file, at, ChunkHeader.EXTENDED, "the index of chunks");
        ChunkHeader index = ChunkHeader.decode(start, 0, start.length);
        int nbytes = chunks * Long.BYTES;
        if (index.nbytes() != nbytes || index.cbytes() > 2L * nbytes + (1 << 16)) {
            throw new CorruptDataException(
                    "blosc2 frame: expected an index of " + chunks + " chunks in " + nbytes + " bytes, found " + index);
        }
        byte[] encoded = whole(file, at, index.cbytes(), "the index of chunks");
        long[] offsets = new long[chunks];
        try (Scratch scratch = new Scratch()) {
            byte[] decoded =
                    WholeChunk.of(new HeapBytes(encoded, 0, encoded.length)).decoded(scratch);
            ByteBuffer.wrap(decoded)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer()
                    .get(offsets);
        }
        return offsets;
    }

    /**
     * Returns a document of references (kerchunk, version 1).
     *
     * @param name the name of the file or folder, as references name it
     * @param fileSize the size of the file in bytes
     */
    Json.Obj references(String name, long fileSize) {
        long[] sorted =
                Arrays.stream(offsets).filter(offset -> offset >= 0).sorted().toArray();
        Map<String, Json> refs = new LinkedHashMap<>();
        refs.put("zarr.json", Json.of(array.document().toString()));
        long[] cells = array.shapes().cells();
        for (int i = 0; i < offsets.length; i++) {
            StringBuilder key = new StringBuilder("c");
            for (long index : Shapes.unravel(i, cells)) {
                key.append('/').append(index);
            }
            refs.put(key.toString(), reference(name, fileSize, offsets[i], sorted));
        }
        return Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(refs));
    }

    private Json reference(String name, long fileSize, long offset, long[] sorted) {
        if (offset < 0) {
            return Json.of("base64:" + Base64.getEncoder().encodeToString(header(special(offset))));
        }
        if (header.layout() == FrameHeader.Layout.SPARSE) {
            return new Json.Arr(List.of(Json.of(name + String.format("/%08X.chunk", offset))));
        }
        if (offset > header.cbytes() - ChunkHeader.EXTENDED) {
            throw new CorruptDataException("blosc2 frame: expected a chunk within " + header.cbytes()
                    + " bytes of chunks, found one at " + offset);
        }
        int next = Arrays.binarySearch(sorted, offset + 1);
        int after = next < 0 ? -next - 1 : next;
        long end = after < sorted.length ? Math.min(sorted[after], header.cbytes()) : header.cbytes();
        Json part = new Json.Arr(
                List.of(Json.of(name), Json.of(header.size() + offset), Json.of(end - offset), Json.of(fileSize)));
        return new Json.Arr(List.of(part));
    }

    /** Returns the value that fills a chunk without bytes. The highest byte of its negative offset says which. */
    static ChunkHeader.Special special(long offset) {
        int kind = (int) (offset >>> KIND) & 0x7f;
        return switch (kind) {
            case ZEROS -> ChunkHeader.Special.ZEROS;
            case NANS -> ChunkHeader.Special.NANS;
            case UNINIT -> ChunkHeader.Special.UNINIT;
            default -> throw new UnsupportedException("blosc2 frame: special chunk " + kind + " is not supported");
        };
    }

    /** Returns the header of a chunk of equal elements. */
    private byte[] header(ChunkHeader.Special special) {
        long nbytes = 1;
        for (long length : array.shapes().padded()) {
            nbytes = Math.multiplyExact(nbytes, length);
        }
        byte[] chunk = new byte[ChunkHeader.EXTENDED];
        chunk[0] = 5;
        chunk[1] = 1;
        chunk[2] = 5;
        chunk[3] = (byte) array.type().bytes();
        Words.int32(
                chunk,
                4,
                Math.toIntExact(Math.multiplyExact(nbytes, array.type().bytes())));
        Words.int32(chunk, 8, Words.int32(chunk, 4));
        Words.int32(chunk, 12, chunk.length);
        chunk[chunk.length - 1] = (byte) (special.ordinal() << 4);
        return chunk;
    }
}
