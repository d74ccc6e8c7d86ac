package dev.shardkit.hdf5;

import dev.shardkit.reference.SynthesizedValue;
import dev.shardkit.spi.codec.DecodedSize;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * A chunk of texts of variable length, made when it is read: its elements are places in global heaps (section III.E),
 * which become the form of {@code vlen-utf8}. Immutable and thread-safe.
 *
 * @param key the key of the file
 * @param chunk the stored elements
 * @param codec the filters
 * @param decodedSize the size of the elements without filters, in bytes
 * @param file the sizes of addresses and lengths, and where addresses begin
 */
record VariableTexts(String key, Dataset.Chunk chunk, MaskedCodec codec, long decodedSize, Places file)
        implements SynthesizedValue {
    /** A heap has at least this size, so one read suffices for most. */
    private static final long MIN_HEAP = 4096;
    /** Heaps nearer than this are read at once. */
    private static final long NEAR = 64 << 10;

    private static final long MAX_AT_ONCE = 16 << 20;
    private static final long MAX_HEAP = 1 << 30;

    /** What addresses mean. */
    record Places(Cursor.Widths widths, long base, long fileSize) {}

    /** An element: the place of a text in a heap. The text ends before its first zero byte. */
    private record Text(long length, long heap, int index) {}

    /** Neighbouring heaps, which are read at once. */
    private record Run(long start, long end, List<Long> heaps) {}

    @Override
    public Step first() {
        if (chunk instanceof Dataset.Inline inline) {
            return texts(inline.bytes());
        }
        Dataset.Part part = (Dataset.Part) chunk;
        if (part.size() > codec.maxEncodedSize(decodedSize)) {
            throw Hdf5.corrupt(
                    "a chunk: expected at most " + codec.maxEncodedSize(decodedSize) + " bytes, found " + part.size());
        }
        return new Read(
                List.of(new ByteRange.Slice(part.place(), part.size())),
                stored -> texts(decoded(stored.get(0), part.mask())));
    }

    private byte[] decoded(Bytes stored, int mask) {
        try (Scratch scratch = new Scratch()) {
            Bytes masked = Bytes.concat(List.of(Bytes.of(MaskedCodec.head(mask)), stored));
            return codec.decode(masked, DecodedSize.exactly(decodedSize), scratch)
                    .toArray();
        }
    }

    private Step texts(byte[] elements) {
        Cursor in = new Cursor(elements, file.widths(), "a chunk of texts");
        List<Text> texts = new ArrayList<>();
        TreeSet<Long> heaps = new TreeSet<>();
        while (in.left() > 0) {
            long length = in.u32();
            long heap = in.address();
            int index = (int) in.u32();
            boolean isEmpty = length == 0 || heap == 0 || heap == Cursor.UNDEFINED;
            texts.add(new Text(isEmpty ? 0 : length, heap, index));
            if (!isEmpty) {
                heaps.add(heap);
            }
        }
        List<Run> runs = runs(heaps);
        List<ByteRange.Slice> ranges = runs.stream()
                .map(run -> new ByteRange.Slice(run.start(), run.end() - run.start()))
                .toList();
        return new Read(ranges, found -> heaps(texts, heaps, runs, found));
    }

    private List<Run> runs(TreeSet<Long> heaps) {
        List<Run> runs = new ArrayList<>();
        for (long heap : heaps) {
            if (heap > file.fileSize() - file.base() - Heap.head(file.widths())) {
                throw Hdf5.corrupt("a chunk of texts: expected a heap within the file's " + file.fileSize()
                        + " bytes, found one at address " + heap);
            }
            long start = file.base() + heap;
            long end = Math.min(file.fileSize(), start + MIN_HEAP);
            Run last = runs.isEmpty() ? new Run(0, -NEAR - 1, List.of()) : runs.get(runs.size() - 1);
            if (start > last.end() + NEAR || end - last.start() > MAX_AT_ONCE) {
                runs.add(new Run(start, end, new ArrayList<>(List.of(start))));
            } else {
                last.heaps().add(start);
                runs.set(runs.size() - 1, new Run(last.start(), end, last.heaps()));
            }
        }
        return runs;
    }

    /** A heap that was read. */
    private record Heap(long place, Map<Integer, Cursor> objects, long size) {
        static int head(Cursor.Widths widths) {
            return 8 + widths.length();
        }
    }

    /** Reads the heaps. None reaches into the next, so all together are no larger than the file. */
    private Step heaps(List<Text> texts, TreeSet<Long> all, List<Run> runs, List<Bytes> found) {
        Map<Long, Heap> heaps = new HashMap<>();
        List<ByteRange.Slice> large = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            Bytes bytes = found.get(i);
            for (long place : runs.get(i).heaps()) {
                long at = place - runs.get(i).start();
                Bytes head = bytes.slice(at, Heap.head(file.widths()));
                long size = size(place, new Cursor(head.toArray(), file.widths(), "a global heap"), all);
                if (size <= bytes.size() - at) {
                    heaps.put(place, heap(place, bytes.slice(at, size)));
                } else {
                    large.add(new ByteRange.Slice(place, size));
                }
            }
        }
        return new Read(large, rest -> {
            for (int i = 0; i < large.size(); i++) {
                long place = large.get(i).offset();
                heaps.put(place, heap(place, rest.get(i)));
            }
            return new Made(joined(texts, heaps));
        });
    }

    private long size(long place, Cursor head, TreeSet<Long> all) {
        long size = GlobalHeap.size(head);
        Long next = all.higher(place - file.base());
        long most = Math.min(MAX_HEAP, (next == null ? file.fileSize() : file.base() + next) - place);
        if (size < Heap.head(file.widths()) || size > most) {
            throw Hdf5.corrupt("a global heap at byte " + place + ": expected " + Heap.head(file.widths()) + " to "
                    + most + " bytes, found " + size);
        }
        return size;
    }

    private Heap heap(long place, Bytes bytes) {
        Cursor in = new Cursor(bytes.toArray(), file.widths(), "a global heap");
        return new Heap(place, GlobalHeap.objects(in.skip(Heap.head(file.widths()))), bytes.size());
    }

    private Bytes joined(List<Text> texts, Map<Long, Heap> heaps) {
        long most = heaps.values().stream().mapToLong(Heap::size).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(number(texts.size()));
        long size = 0;
        for (Text text : texts) {
            byte[] bytes = text.length() == 0 ? new byte[0] : bytes(text, heaps.get(file.base() + text.heap()));
            size += bytes.length;
            if (size > most) {
                throw Hdf5.corrupt("a chunk of texts: expected at most the " + most
                        + " bytes of its heaps, found texts that are the same bytes again and again");
            }
            out.writeBytes(number(bytes.length));
            out.writeBytes(bytes);
        }
        return Bytes.of(out.toByteArray());
    }

    private static byte[] bytes(Text text, Heap heap) {
        Cursor object = heap.objects().get(text.index());
        if (object == null) {
            throw Hdf5.corrupt("a global heap at byte " + heap.place() + ": expected an object with index "
                    + text.index() + ", found none");
        }
        return Cursor.untilZero(object.again().bytes(text.length()));
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(value)
                .array();
    }
}
