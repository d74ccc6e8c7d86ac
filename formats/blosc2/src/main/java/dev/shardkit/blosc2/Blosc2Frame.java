package dev.shardkit.blosc2;

import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.bytes.HeapBytes;
import dev.shardkit.spi.bytes.Words;
import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
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
 * A Blosc2 frame that contains an array: its header and the index of its chunks. A contiguous frame is one file
 * (README_CFRAME_FORMAT.rst of C-Blosc2); a sparse frame is a folder with a file for each chunk
 * (README_SFRAME_FORMAT.rst). Converts them to references: a {@code zarr.json}, and the position of each chunk. Used by
 * one thread.
 *
 * @param header the header
 * @param array the description of the array
 * @param offsets for each chunk, its offset from the end of the header, or in a sparse frame the number of its file;
 *     negative for a chunk of equal elements (see {@link #specialKind})
 */
record Blosc2Frame(FrameHeader header, B2ndMetalayer array, long[] offsets) {
    /** The maximum number of chunks in a document of references. */
    private static final long MAX_CHUNKS = 2_000_000;

    /** The lowest bit of a negative offset that encodes the kind of the special chunk. */
    private static final int KIND_SHIFT = 56;

    // The kinds of special chunks, by their numbers in offsets.
    private static final int ZEROS = 1;
    private static final int NANS = 2;
    private static final int UNINIT = 4;

    /** Reads bytes of the file. */
    interface FileReader {
        /** Reads {@code length} bytes from {@code offset}; fewer at the end of the file. */
        byte[] read(long offset, int length) throws IOException;
    }

    /** Reads the header and the index of a frame. */
    static Blosc2Frame read(FileReader file) throws IOException {
        byte[] start = file.read(0, FrameHeader.START_BYTES);
        int size = FrameHeader.readSize(start);
        byte[] bytes = readFully(file, 0, size, "the header");
        FrameHeader header = FrameHeader.decode(bytes);
        B2ndMetalayer array = B2ndMetalayer.read(header);
        long chunks = countChunks(array.shapes().chunkCounts());
        return new Blosc2Frame(header, array, chunks == 0 ? new long[0] : readOffsets(file, header, (int) chunks));
    }

    private static long countChunks(long[] chunkCounts) {
        long count = 1;
        for (long length : chunkCounts) {
            if (length > MAX_CHUNKS / Math.max(1, count)) {
                throw new UnsupportedException("b2nd: expected at most " + MAX_CHUNKS + " chunks, found more");
            }
            count *= length;
        }
        return count;
    }

    /** Reads exactly {@code length} bytes. */
    private static byte[] readFully(FileReader file, long offset, int length, String name) throws IOException {
        byte[] bytes = file.read(offset, length);
        if (bytes.length != length) {
            throw new CorruptDataException("blosc2 frame: expected " + length + " bytes of " + name + " at byte "
                    + offset + ", found " + bytes.length);
        }
        return bytes;
    }

    /** Reads the index: the offset of each chunk. The index is stored as a chunk itself, after the others. */
    private static long[] readOffsets(FileReader file, FrameHeader header, int chunks) throws IOException {
        long indexOffset = header.size() + (header.layout() == FrameHeader.Layout.SPARSE ? 0 : header.cbytes());
        if (indexOffset < 0) {
            throw new CorruptDataException("blosc2 frame: expected an index of chunks, found none");
        }
        byte[] start = readFully(file, indexOffset, ChunkHeader.EXTENDED_SIZE, "the index of chunks");
        ChunkHeader index = ChunkHeader.decode(start, 0, start.length);
        int nbytes = chunks * Long.BYTES;
        // The limit of the encoded size is generous. It only keeps a corrupt header from causing a huge allocation.
        if (index.nbytes() != nbytes || index.cbytes() > 2L * nbytes + (1 << 16)) {
            throw new CorruptDataException(
                    "blosc2 frame: expected an index of " + chunks + " chunks in " + nbytes + " bytes, found " + index);
        }
        byte[] encoded = readFully(file, indexOffset, index.cbytes(), "the index of chunks");
        long[] offsets = new long[chunks];
        try (Scratch scratch = new Scratch()) {
            byte[] decoded = InMemoryChunk.parse(new HeapBytes(encoded, 0, encoded.length))
                    .decodeAll(scratch);
            ByteBuffer.wrap(decoded)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asLongBuffer()
                    .get(offsets);
        }
        return offsets;
    }

    /**
     * Returns a document of references in the format of kerchunk, version 1.
     *
     * @param name the name of the file or folder for the references
     * @param fileSize the size of the file in bytes
     */
    Json.Obj toReferences(String name, long fileSize) {
        long[] sortedOffsets =
                Arrays.stream(offsets).filter(offset -> offset >= 0).sorted().toArray();
        Map<String, Json> refs = new LinkedHashMap<>();
        refs.put("zarr.json", Json.of(array.toDocument().toString()));
        long[] chunkCounts = array.shapes().chunkCounts();
        for (int i = 0; i < offsets.length; i++) {
            StringBuilder key = new StringBuilder("c");
            for (long index : Shapes.unravel(i, chunkCounts)) {
                key.append('/').append(index);
            }
            refs.put(key.toString(), referenceTo(name, fileSize, offsets[i], sortedOffsets));
        }
        return Json.object().with("version", Json.of(1)).with("refs", new Json.Obj(refs));
    }

    /**
     * Returns the reference to a chunk: a range of the file, a file of a sparse frame, or the bytes of a special chunk.
     *
     * @param sortedOffsets the offsets of all chunks that have bytes, in ascending order
     */
    private Json referenceTo(String name, long fileSize, long offset, long[] sortedOffsets) {
        if (offset < 0) {
            return Json.of("base64:" + Base64.getEncoder().encodeToString(specialChunkHeader(specialKind(offset))));
        }
        if (header.layout() == FrameHeader.Layout.SPARSE) {
            return new Json.Arr(List.of(Json.of(name + String.format("/%08X.chunk", offset))));
        }
        if (offset > header.cbytes() - ChunkHeader.EXTENDED_SIZE) {
            throw new CorruptDataException("blosc2 frame: expected a chunk within " + header.cbytes()
                    + " bytes of chunks, found one at " + offset);
        }
        // The index does not contain the sizes of chunks, so the range ends where the next chunk starts.
        int searchResult = Arrays.binarySearch(sortedOffsets, offset + 1);
        int nextIndex = searchResult < 0 ? -searchResult - 1 : searchResult;
        long end = nextIndex < sortedOffsets.length
                ? Math.min(sortedOffsets[nextIndex], header.cbytes())
                : header.cbytes();
        Json range = new Json.Arr(
                List.of(Json.of(name), Json.of(header.size() + offset), Json.of(end - offset), Json.of(fileSize)));
        return new Json.Arr(List.of(range));
    }

    /** Returns the kind of a chunk without bytes. The highest byte of its negative offset encodes it. */
    static ChunkHeader.Special specialKind(long offset) {
        int kind = (int) (offset >>> KIND_SHIFT) & 0x7f;
        return switch (kind) {
            case ZEROS -> ChunkHeader.Special.ZEROS;
            case NANS -> ChunkHeader.Special.NANS;
            case UNINIT -> ChunkHeader.Special.UNINIT;
            default -> throw new UnsupportedException("blosc2 frame: special chunk " + kind + " is not supported");
        };
    }

    /**
     * Returns a chunk of equal elements. It consists of a header only (README_CHUNK_FORMAT.rst), whose fields are the
     * version of the format, the version of the compressor, flags, element size, decoded size, block size and encoded
     * size.
     */
    private byte[] specialChunkHeader(ChunkHeader.Special special) {
        long nbytes = 1;
        for (long length : array.shapes().paddedChunkShape()) {
            nbytes = Math.multiplyExact(nbytes, length);
        }
        byte[] chunk = new byte[ChunkHeader.EXTENDED_SIZE];
        chunk[0] = 5;
        chunk[1] = 1;
        chunk[2] = 5; // both bits of the shuffles: an extended header
        chunk[3] = (byte) array.type().bytes();
        Words.int32(
                chunk,
                4,
                Math.toIntExact(Math.multiplyExact(nbytes, array.type().bytes())));
        Words.int32(chunk, 8, Words.int32(chunk, 4)); // the whole chunk is one block
        Words.int32(chunk, 12, chunk.length);
        chunk[chunk.length - 1] = (byte) (special.ordinal() << 4);
        return chunk;
    }
}
