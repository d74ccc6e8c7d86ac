package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.codec.MaskedCodec;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.GlobalHeap;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.store.reference.SynthesizedValue;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Creates a chunk of texts of variable length when it is read. HDF5 stores the texts in global heaps (blocks of
 * numbered objects), and the elements of a chunk are positions in these heaps (section III.E of the file format
 * specification). The result has the encoding of the codec {@code vlen-utf8}: the number of texts, then the length and
 * the bytes of each text. There are three steps: read the stored chunk, read the heaps to which its elements refer,
 * join the texts. Immutable and thread-safe.
 *
 * @param key the key of the file
 * @param chunk the stored elements
 * @param codec the filters of the stored chunk
 * @param decodedSize the size of the stored elements after decoding, in bytes
 * @param file how addresses in the file are resolved
 */
public record VariableTexts(String key, Hdf5Dataset.Chunk chunk, MaskedCodec codec, long decodedSize, FileLayout file)
        implements SynthesizedValue {
    /** The minimum size of a heap. Most heaps have this size, so a read of this many bytes mostly suffices. */
    private static final long MIN_HEAP = 4096;
    /** If the distance between two heaps is at most this, one request reads both. */
    private static final long MAX_GAP = 64 << 10;

    /** The maximum size of a request for several heaps. */
    private static final long MAX_AT_ONCE = 16 << 20;

    private static final long MAX_HEAP = 1 << 30;

    /**
     * How addresses in the file are resolved.
     *
     * @param widths the sizes of addresses and lengths
     * @param base the offset in the file to which addresses are relative
     * @param fileSize the size of the file in bytes
     */
    record FileLayout(Cursor.Widths widths, long base, long fileSize) {}

    /** An element: the position of a text in a heap. The text ends before its first zero byte. */
    private record Text(long length, long heapAddress, int index) {}

    /** Neighbouring heaps, which are read in one request. */
    private record HeapRun(long start, long end, List<Long> heapOffsets) {}

    @Override
    public Step first() {
        if (chunk instanceof Hdf5Dataset.Inline inline) {
            return readTexts(inline.bytes());
        }
        Hdf5Dataset.Part part = (Hdf5Dataset.Part) chunk;
        if (part.size() > codec.maxEncodedSize(decodedSize)) {
            throw Hdf5Errors.corrupt(
                    "a chunk: expected at most " + codec.maxEncodedSize(decodedSize) + " bytes, found " + part.size());
        }
        return new Read(
                List.of(new ByteRange.Slice(part.offset(), part.size())),
                stored -> readTexts(decode(stored.get(0), part.mask())));
    }

    /** Decodes the stored chunk. */
    private byte[] decode(Bytes stored, int mask) {
        try (Scratch scratch = new Scratch()) {
            Bytes masked = Bytes.concat(List.of(Bytes.of(MaskedCodec.maskBytes(mask)), stored));
            return codec.decode(masked, DecodedSize.exactly(decodedSize), scratch)
                    .toArray();
        }
    }

    /** Parses the stored elements, and returns the step that reads the heaps. */
    private Step readTexts(byte[] elements) {
        Cursor cursor = new Cursor(elements, file.widths(), "a chunk of texts");
        List<Text> texts = new ArrayList<>();
        TreeSet<Long> heapAddresses = new TreeSet<>();
        while (cursor.remaining() > 0) {
            long length = cursor.u32();
            long heap = cursor.address();
            int index = (int) cursor.u32();
            boolean isEmpty = length == 0 || heap == 0 || heap == Cursor.UNDEFINED;
            texts.add(new Text(isEmpty ? 0 : length, heap, index));
            if (!isEmpty) {
                heapAddresses.add(heap);
            }
        }
        List<HeapRun> runs = groupHeaps(heapAddresses);
        List<ByteRange.Slice> ranges = runs.stream()
                .map(run -> new ByteRange.Slice(run.start(), run.end() - run.start()))
                .toList();
        return new Read(ranges, heapBytes -> readHeaps(texts, heapAddresses, runs, heapBytes));
    }

    /**
     * Groups heaps that are close together. Assumes that heaps have the minimum size, because sizes are not known yet.
     */
    private List<HeapRun> groupHeaps(TreeSet<Long> heapAddresses) {
        List<HeapRun> runs = new ArrayList<>();
        for (long heap : heapAddresses) {
            if (heap > file.fileSize() - file.base() - Heap.headerSize(file.widths())) {
                throw Hdf5Errors.corrupt("a chunk of texts: expected a heap within the file's " + file.fileSize()
                        + " bytes, found one at address " + heap);
            }
            long start = file.base() + heap;
            long end = Math.min(file.fileSize(), start + MIN_HEAP);
            // if there is no run yet, a run that is too far away from any heap
            HeapRun lastRun = runs.isEmpty() ? new HeapRun(0, -MAX_GAP - 1, List.of()) : runs.get(runs.size() - 1);
            if (start > lastRun.end() + MAX_GAP || end - lastRun.start() > MAX_AT_ONCE) {
                runs.add(new HeapRun(start, end, new ArrayList<>(List.of(start))));
            } else {
                lastRun.heapOffsets().add(start);
                runs.set(runs.size() - 1, new HeapRun(lastRun.start(), end, lastRun.heapOffsets()));
            }
        }
        return runs;
    }

    /**
     * A heap in memory.
     *
     * @param objects the objects by their index
     * @param checkedSize the size of the heap, which {@link #checkedSize} has checked
     */
    private record Heap(long fileOffset, Map<Integer, Cursor> objects, long checkedSize) {
        static int headerSize(Cursor.Widths widths) {
            return 8 + widths.length();
        }
    }

    /**
     * Parses the heaps that were read completely, and returns the step that reads the other, larger heaps. Heaps do not
     * overlap, so their total size is at most that of the file.
     */
    private Step readHeaps(List<Text> texts, TreeSet<Long> heapAddresses, List<HeapRun> runs, List<Bytes> heapBytes) {
        Map<Long, Heap> heapsByOffset = new HashMap<>();
        List<ByteRange.Slice> large = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Bytes bytes = heapBytes.get(i);
            for (long fileOffset : runs.get(i).heapOffsets()) {
                long offset = fileOffset - runs.get(i).start();
                Bytes header = bytes.slice(offset, Heap.headerSize(file.widths()));
                long size = checkedSize(
                        fileOffset, new Cursor(header.toArray(), file.widths(), "a global heap"), heapAddresses);
                if (size <= bytes.size() - offset) {
                    heapsByOffset.put(fileOffset, parseHeap(fileOffset, bytes.slice(offset, size)));
                } else {
                    large.add(new ByteRange.Slice(fileOffset, size));
                }
            }
        }
        return new Read(large, largeBytes -> {
            for (int i = 0; i < large.size(); i++) {
                long fileOffset = large.get(i).offset();
                heapsByOffset.put(fileOffset, parseHeap(fileOffset, largeBytes.get(i)));
            }
            return new Made(join(texts, heapsByOffset));
        });
    }

    /** Returns the size of a heap. Throws if the heap would reach into the next heap or beyond the file. */
    private long checkedSize(long fileOffset, Cursor header, TreeSet<Long> heapAddresses) {
        long size = GlobalHeap.readSize(header);
        Long nextHeap = heapAddresses.higher(fileOffset - file.base());
        long maxSize = Math.min(MAX_HEAP, (nextHeap == null ? file.fileSize() : file.base() + nextHeap) - fileOffset);
        if (size < Heap.headerSize(file.widths()) || size > maxSize) {
            throw Hdf5Errors.corrupt("a global heap at byte " + fileOffset + ": expected "
                    + Heap.headerSize(file.widths()) + " to " + maxSize + " bytes, found " + size);
        }
        return size;
    }

    private Heap parseHeap(long fileOffset, Bytes bytes) {
        Cursor cursor = new Cursor(bytes.toArray(), file.widths(), "a global heap");
        return new Heap(fileOffset, GlobalHeap.readObjects(cursor.skip(Heap.headerSize(file.widths()))), bytes.size());
    }

    /**
     * Encodes all texts. Limits their total size to that of the heaps, because many elements of a corrupt file could
     * refer to the same bytes.
     */
    private Bytes join(List<Text> texts, Map<Long, Heap> heapsByOffset) {
        long maxSize =
                heapsByOffset.values().stream().mapToLong(Heap::checkedSize).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(littleEndian(texts.size()));
        long size = 0;
        for (Text text : texts) {
            byte[] bytes = text.length() == 0
                    ? new byte[0]
                    : textBytes(text, heapsByOffset.get(file.base() + text.heapAddress()));
            size += bytes.length;
            if (size > maxSize) {
                throw Hdf5Errors.corrupt("a chunk of texts: expected at most the " + maxSize
                        + " bytes of its heaps, found texts that are the same bytes again and again");
            }
            out.writeBytes(littleEndian(bytes.length));
            out.writeBytes(bytes);
        }
        return Bytes.of(out.toByteArray());
    }

    private static byte[] textBytes(Text text, Heap heap) {
        Cursor object = heap.objects().get(text.index());
        if (object == null) {
            throw Hdf5Errors.corrupt("a global heap at byte " + heap.fileOffset() + ": expected an object with index "
                    + text.index() + ", found none");
        }
        return Cursor.untilZero(object.duplicate().bytes(text.length()));
    }

    private static byte[] littleEndian(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }
}
