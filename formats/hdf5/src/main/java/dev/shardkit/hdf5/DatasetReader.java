package dev.shardkit.hdf5;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** Reads datasets: their types, shapes and places of chunks. Used by one thread. */
final class DatasetReader {
    /** Contiguous elements are divided into chunks of about this size. */
    private static final long SLAB = 4L << 20;
    /** A length that divides the dimension is preferred from this share of a slab on. */
    private static final int MIN_SHARE = 64;
    /** Each dataset has a fill value as large as an element, whose size a small file may claim. */
    private static final long FREE_ELEMENT_BYTES = 32L << 20;

    private static final String DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable";

    private final FileBytes file;
    private final boolean mayCut;
    private final GlobalHeap heap;
    private final DimensionNameReader dimensions;
    private final AttributeConversion values;
    private final LongFunction<ObjectHeader> headers;
    /** The lengths of unlimited dimensions of NetCDF, by the address of their scale. */
    private final Map<Long, Long> lengths = new HashMap<>();

    private long elementBytes;

    /**
     * Creates a reader.
     *
     * @param names the names of objects by address
     * @param mayCut whether chunks may be shorter at the edge
     * @param scales the dimension scales of the file
     * @param headers reads the header at an address
     */
    DatasetReader(
            FileBytes file,
            Map<Long, String> names,
            boolean mayCut,
            DimensionScales scales,
            LongFunction<ObjectHeader> headers) {
        this.file = file;
        this.headers = headers;
        this.mayCut = mayCut;
        this.heap = new GlobalHeap(file);
        this.dimensions = new DimensionNameReader(heap, names, scales);
        this.values = new AttributeConversion(heap, names, file.size());
    }

    /** Returns the attributes of a group. */
    AttributeConversion.Converted attributes(ObjectHeader header) {
        return values.json(Attributes.of(file, header));
    }

    /**
     * Returns the dimension scale that a dataset is; empty if it is none.
     *
     * @param group the path of its group
     * @param name its name
     */
    Optional<DimensionScales.Scale> scale(ObjectHeader header, String group, String name) {
        Map<String, Attributes.Value> attributes = Attributes.of(file, header);
        long[] shape = space(header).shape();
        return DimensionNameReader.isScale(attributes) && shape.length > 0
                ? Optional.of(new DimensionScales.Scale(group, name, shape[0], DimensionNameReader.id(attributes)))
                : Optional.empty();
    }

    private static boolean isDimensionOnly(Map<String, Attributes.Value> attributes) {
        return DimensionNameReader.text(attributes, "NAME").startsWith(DIMENSION_ONLY);
    }

    /** Returns the shape of a dataset, as far as it can be read, for one that is refused. */
    long[] shape(ObjectHeader header) {
        return space(header).shape();
    }

    private Dataspace space(ObjectHeader header) {
        return header.find(file, ObjectHeader.Type.DATASPACE)
                .map(Dataspace::read)
                .orElseThrow(() -> Hdf5.corrupt("a dataset: expected a shape, found none"));
    }

    /**
     * Reads a dataset. Returns empty for a NetCDF dimension without a variable, which has no elements.
     *
     * @param address where its header is
     * @param name its name, which is that of its dimension if it is a dimension scale
     */
    Optional<Dataset> read(long address, ObjectHeader header, String name) {
        Map<String, Attributes.Value> attributes = Attributes.of(file, header);
        return isDimensionOnly(attributes) ? Optional.empty() : Optional.of(read(address, header, name, attributes));
    }

    /**
     * Returns the shape of a dataset. A variable of NetCDF may have been written less far than its unlimited dimension:
     * the elements beyond are the fill value.
     */
    private long[] shape(long address, Dataspace space, Map<String, Attributes.Value> attributes) {
        long[] shape = space.isNull() ? new long[] {0} : space.shape().clone();
        if (space.isNull() || Arrays.stream(space.most()).noneMatch(n -> n == -1)) {
            return shape;
        }
        List<Optional<Long>> scales = dimensions.addresses(attributes, shape.length);
        for (int d = 0; d < shape.length; d++) {
            boolean isOwn = d == 0 && DimensionNameReader.isScale(attributes);
            Optional<Long> scale = isOwn ? Optional.of(address) : scales.get(d);
            if (space.most()[d] == -1 && scale.isPresent()) {
                shape[d] = Math.max(shape[d], length(scale.get()));
            }
        }
        return shape;
    }

    /** Returns the length of an unlimited dimension of NetCDF: that of its longest variable. 0 for other scales. */
    private long length(long scale) {
        Long known = lengths.get(scale);
        if (known == null) {
            known = longest(scale);
            lengths.put(scale, known);
        }
        return known;
    }

    private long longest(long scale) {
        try {
            ObjectHeader header = headers.apply(scale);
            Map<String, Attributes.Value> attributes = Attributes.of(file, header);
            long[] own = space(header).shape();
            if (DimensionNameReader.id(attributes) < 0 || own.length == 0) {
                return 0;
            }
            long longest = own[0];
            for (DimensionNameReader.Use use : DimensionNameReader.uses(attributes)) {
                long[] shape = space(headers.apply(use.address())).shape();
                if (use.dimension() >= 0 && use.dimension() < shape.length) {
                    longest = Math.max(longest, shape[use.dimension()]);
                }
            }
            return longest;
        } catch (CorruptDataException | UnsupportedException e) {
            return 0; // the walk says what is wrong with these objects
        }
    }

    private Dataset read(long address, ObjectHeader header, String name, Map<String, Attributes.Value> attributes) {
        Datatype datatype = Datatype.find(file, header)
                .orElseThrow(() -> Hdf5.corrupt("a dataset: expected a datatype, found none"));
        Dataspace space = space(header);
        if (!header.all(ObjectHeader.Type.EXTERNAL).isEmpty()) {
            throw Hdf5.unsupported("a dataset whose elements are in other files");
        }
        Layout layout = header.find(file, ObjectHeader.Type.LAYOUT)
                .map(in -> Layout.read(in, space.shape().length))
                .orElseThrow(() -> Hdf5.corrupt("a dataset: expected a layout, found none"));
        List<Filter> filters = header.find(file, ObjectHeader.Type.FILTERS)
                .map(Filter::pipeline)
                .orElse(List.of());
        List<Long> inner = new ArrayList<>();
        Datatype element = datatype;
        while (element instanceof Datatype.Block block) {
            inner.addAll(block.shape());
            element = block.base();
        }
        Datatype plain = Datatype.plain(element);
        ElementType type =
                plain instanceof Datatype.Variable texts && texts.isText() ? texts(texts) : ElementType.of(plain);
        elementBytes += type.bytes();
        if (elementBytes > FREE_ELEMENT_BYTES + file.size()) {
            throw Hdf5.unsupported("a file whose elements of all datasets are together larger than the file and "
                    + FREE_ELEMENT_BYTES + " bytes");
        }
        byte[] storedFill = FillBytes.of(file, header, datatype.size(), type.bytes());
        Optional<StoredNumbers> numbers = StoredNumbers.of(element);
        byte[] fill = numbers.map(n -> n.decoded(storedFill)).orElse(storedFill);
        long[] shape = shape(address, space, attributes);
        List<Optional<String>> names = new ArrayList<>(dimensions.of(attributes, name, shape.length));
        inner.forEach(n -> names.add(Optional.empty()));
        Places places = places(layout, space, filters, datatype.size());
        return new Dataset(
                joined(shape, inner),
                joined(places.chunkShape(), inner),
                places.cutsEdges(),
                type,
                type.fillValue(plain, fill),
                fill,
                numbers,
                places.filters(),
                places.isMasked(),
                values.json(attributes)
                        .with(Datatype.valueNames(element).stream()
                                .map(all -> "/data_type: the names of the values are left out: " + all)
                                .toList()),
                List.copyOf(names),
                places.chunks(inner.size()),
                new VariableTexts.Places(file.widths(), file.place(0), file.size()));
    }

    private ElementType texts(Datatype.Variable type) {
        Cursor.Widths widths = file.widths();
        if (type.size() != 8L + widths.offset()) {
            throw Hdf5.corrupt("text of variable length: expected elements of " + (8 + widths.offset())
                    + " bytes, found " + type.size());
        }
        return ElementType.texts(type, bytes -> {
            Cursor text = heap.element(new Cursor(bytes, widths, "a fill value"), 1);
            return Json.of(text.text(text.left()));
        });
    }

    private static long[] joined(long[] outer, List<Long> inner) {
        long[] all = java.util.Arrays.copyOf(outer, outer.length + inner.size());
        for (int i = 0; i < inner.size(); i++) {
            all[outer.length + i] = Math.max(1, inner.get(i));
        }
        return all;
    }

    /** Where the elements are. */
    private record Places(
            long[] chunkShape, boolean cutsEdges, List<Filter> filters, boolean isMasked, List<Dataset.Chunk> found) {
        /** Returns the chunks, with zeros as indexes in {@code more} dimensions. */
        List<Dataset.Chunk> chunks(int more) {
            if (more == 0) {
                return found;
            }
            List<Dataset.Chunk> chunks = new ArrayList<>();
            for (Dataset.Chunk chunk : found) {
                long[] cell = java.util.Arrays.copyOf(chunk.cell(), chunk.cell().length + more);
                chunks.add(
                        chunk instanceof Dataset.Part part
                                ? new Dataset.Part(cell, part.place(), part.size(), part.mask())
                                : new Dataset.Inline(cell, ((Dataset.Inline) chunk).bytes()));
            }
            return chunks;
        }
    }

    private Places places(Layout layout, Dataspace space, List<Filter> filters, long elementBytes) {
        if (layout instanceof Layout.Compact compact) {
            return compact(compact, space, elementBytes);
        } else if (layout instanceof Layout.Contiguous contiguous) {
            return contiguous(contiguous, space, elementBytes);
        } else if (layout instanceof Layout.Chunked chunked) {
            return chunked(chunked, space, filters, elementBytes);
        }
        throw Hdf5.unsupported("a virtual dataset, whose elements are in other datasets,");
    }

    private static long[] atLeastOne(Dataspace space) {
        long[] shape = space.isNull() ? new long[] {0} : space.shape().clone();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.max(1, shape[d]);
        }
        return shape;
    }

    private static Places compact(Layout.Compact layout, Dataspace space, long elementBytes) {
        long[] chunk = atLeastOne(space);
        long expected = Math.multiplyExact(space.count(), elementBytes);
        if (layout.bytes().length < expected) {
            throw Hdf5.corrupt("a compact dataset: expected " + expected + " bytes, found " + layout.bytes().length);
        }
        byte[] bytes = java.util.Arrays.copyOf(layout.bytes(), (int) expected);
        List<Dataset.Chunk> chunks =
                expected == 0 ? List.of() : List.of(new Dataset.Inline(new long[chunk.length], bytes));
        return new Places(chunk, false, List.of(), false, chunks);
    }

    /**
     * Divides contiguous elements into slabs, so that a part of them is a small read: some rows in one dimension, one
     * in each dimension before it.
     */
    private Places contiguous(Layout.Contiguous layout, Dataspace space, long elementBytes) {
        long[] shape = atLeastOne(space);
        long[] chunk = shape.clone();
        long all = Math.multiplyExact(space.count(), elementBytes);
        int divided = 0;
        long rowBytes = Math.max(1, all);
        while (divided < shape.length && rowBytes > SLAB) {
            rowBytes /= shape[divided];
            chunk[divided++] = 1;
        }
        divided--;
        if (divided >= 0) {
            chunk[divided] = slab(shape[divided], Math.max(1, SLAB / rowBytes), mayCut);
        }
        boolean cuts = divided >= 0 && shape[divided] % chunk[divided] != 0;
        if (all == 0 || layout.address() == Cursor.UNDEFINED) {
            return new Places(chunk, cuts, List.of(), false, List.of());
        }
        long place = file.place(layout.address());
        if (all > file.size() - place) {
            throw Hdf5.corrupt("a contiguous dataset: expected " + all + " bytes at byte " + place
                    + " within the file's " + file.size() + " bytes");
        }
        return new Places(chunk, cuts, List.of(), false, slabs(shape, chunk, divided, place, rowBytes));
    }

    /**
     * Returns the slabs, which lie one after the other.
     *
     * @param divided the dimension that they divide; -1 if there is one slab
     * @param rowBytes the size of a row of that dimension, or of the whole
     */
    private static List<Dataset.Chunk> slabs(long[] shape, long[] chunk, int divided, long place, long rowBytes) {
        long[] cells = new long[shape.length];
        long count = 1;
        for (int d = 0; d < shape.length; d++) {
            cells[d] = (shape[d] - 1) / chunk[d] + 1;
            count = Math.multiplyExact(count, cells[d]);
        }
        if (count > ChunkIndex.MAX_CHUNKS) {
            throw Hdf5.unsupported("a contiguous dataset of more than " + ChunkIndex.MAX_CHUNKS + " slabs");
        }
        List<Dataset.Chunk> slabs = new ArrayList<>();
        long at = place;
        for (long i = 0; i < count; i++) {
            long[] cell = unravel(i, cells);
            long rows = divided < 0 ? 1 : Math.min(chunk[divided], shape[divided] - cell[divided] * chunk[divided]);
            slabs.add(new Dataset.Part(cell, at, rows * rowBytes, 0));
            at += rows * rowBytes;
        }
        return slabs;
    }

    private static long[] unravel(long number, long[] cells) {
        long[] cell = new long[cells.length];
        for (int d = cells.length; d-- > 0; ) {
            cell[d] = number % cells[d];
            number /= cells[d];
        }
        return cell;
    }

    /**
     * Returns a length of about {@code most} that divides {@code length} and is not short. If there is none, the slab
     * at the end is shorter than others, or there is one slab.
     */
    private static long slab(long length, long most, boolean mayCut) {
        for (long n = Math.min(most, length); n > most / MIN_SHARE; n--) {
            if (length % n == 0) {
                return n;
            }
        }
        return mayCut ? Math.min(most, length) : length;
    }

    private Places chunked(Layout.Chunked layout, Dataspace space, List<Filter> filters, long elementBytes) {
        long chunkBytes = elementBytes;
        try {
            for (long n : layout.shape()) {
                chunkBytes = Math.multiplyExact(chunkBytes, n);
            }
        } catch (ArithmeticException e) {
            throw Hdf5.corrupt("a chunk: expected less than 2^63 bytes, found more");
        }
        int known = (1 << Math.min(filters.size(), 31)) - 1;
        boolean isMasked = false;
        List<Dataset.Chunk> chunks = new ArrayList<>();
        for (ChunkIndex.Chunk chunk : ChunkIndex.read(file, layout, space, !filters.isEmpty(), chunkBytes)) {
            int mask = chunk.mask() & known;
            isMasked |= mask != 0;
            chunks.add(new Dataset.Part(chunk.cell(), file.place(chunk.address()), chunk.size(), mask));
        }
        return new Places(layout.shape(), false, filters, isMasked, chunks);
    }
}
