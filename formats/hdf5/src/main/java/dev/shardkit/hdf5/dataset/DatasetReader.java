package dev.shardkit.hdf5.dataset;

import dev.shardkit.hdf5.codec.PackedNumbersCodec;
import dev.shardkit.hdf5.file.Cursor;
import dev.shardkit.hdf5.file.FileBytes;
import dev.shardkit.hdf5.file.GlobalHeap;
import dev.shardkit.hdf5.file.Hdf5Errors;
import dev.shardkit.hdf5.file.ObjectHeader;
import dev.shardkit.hdf5.index.ChunkIndex;
import dev.shardkit.hdf5.message.AttributeMessages;
import dev.shardkit.hdf5.message.Dataspace;
import dev.shardkit.hdf5.message.Datatype;
import dev.shardkit.hdf5.message.FillBytes;
import dev.shardkit.hdf5.message.Filter;
import dev.shardkit.hdf5.message.Layout;
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

/**
 * Reads the description of a dataset from its object header: the type and shape, the filters, the attributes, and the
 * position of each chunk in the file. {@code FileTree} calls it for each dataset. Used by one thread.
 */
public final class DatasetReader {
    /** The approximate size of slabs: the parts into which a contiguous dataset is divided, as if they were chunks. */
    private static final long SLAB_BYTES = 4L << 20;
    /** A slab may be up to this many times shorter, if its length then divides the length of the dimension. */
    private static final int MIN_SHARE = 64;
    /**
     * How much larger than the file the element sizes of all its datasets together may be, in bytes. Without a limit, a
     * small file could claim huge elements, for whose fill values memory is allocated.
     */
    private static final long FREE_ELEMENT_BYTES = 32L << 20;

    /** The start of the attribute {@code NAME} by which NetCDF marks a dimension without coordinates. */
    private static final String DIMENSION_ONLY = "This is a netCDF dimension but not a netCDF variable";

    private final FileBytes file;
    private final boolean allowsPartialChunks;
    private final GlobalHeap heap;
    private final DimensionNameReader dimensions;
    private final AttributeConversion attributeConversion;
    private final LongFunction<ObjectHeader> headers;
    /** The lengths of unlimited dimensions of NetCDF, by the address of their dimension scale; a cache. */
    private final Map<Long, Long> unlimitedLengths = new HashMap<>();

    /** The element sizes of all datasets that were read, added up; see {@link #FREE_ELEMENT_BYTES}. */
    private long elementBytes;

    /**
     * Creates a reader.
     *
     * @param names the paths of objects by address
     * @param allowsPartialChunks whether the last slab of a dimension may be shorter than the others
     * @param scales the dimension scales of the file
     * @param headers reads the header at an address
     */
    public DatasetReader(
            FileBytes file,
            Map<Long, String> names,
            boolean allowsPartialChunks,
            DimensionScales scales,
            LongFunction<ObjectHeader> headers) {
        this.file = file;
        this.headers = headers;
        this.allowsPartialChunks = allowsPartialChunks;
        this.heap = new GlobalHeap(file);
        this.dimensions = new DimensionNameReader(heap, names, scales);
        this.attributeConversion = new AttributeConversion(heap, names, file.size());
    }

    /** Returns the attributes of a group. */
    public AttributeConversion.JsonAttributes attributes(ObjectHeader header) {
        return attributeConversion.convert(AttributeMessages.read(file, header));
    }

    /**
     * Returns the description of a dimension scale; empty if the dataset is not a dimension scale.
     *
     * @param group the path of the group that contains the dataset
     * @param name the name of the dataset
     */
    public Optional<DimensionScales.Scale> scaleOf(ObjectHeader header, String group, String name) {
        Map<String, AttributeMessages.Value> attributes = AttributeMessages.read(file, header);
        long[] shape = readSpace(header).shape();
        return DimensionNameReader.isScale(attributes) && shape.length > 0
                ? Optional.of(new DimensionScales.Scale(group, name, shape[0], DimensionNameReader.id(attributes)))
                : Optional.empty();
    }

    private static boolean isDimensionOnly(Map<String, AttributeMessages.Value> attributes) {
        return DimensionNameReader.readText(attributes, "NAME").startsWith(DIMENSION_ONLY);
    }

    /** Returns the shape of a dataset, even if its type or its filters are not supported. */
    public long[] shapeOf(ObjectHeader header) {
        return readSpace(header).shape();
    }

    private Dataspace readSpace(ObjectHeader header) {
        return header.find(file, ObjectHeader.Type.DATASPACE)
                .map(Dataspace::read)
                .orElseThrow(() -> Hdf5Errors.corrupt("a dataset: expected a shape, found none"));
    }

    /**
     * Reads a dataset. Returns empty for a NetCDF dimension without a variable, which has no elements.
     *
     * @param address the address of its header
     * @param name the name of the dataset; for a dimension scale, also the name of the dimension
     */
    public Optional<Hdf5Dataset> read(long address, ObjectHeader header, String name) {
        Map<String, AttributeMessages.Value> attributes = AttributeMessages.read(file, header);
        return isDimensionOnly(attributes) ? Optional.empty() : Optional.of(read(address, header, name, attributes));
    }

    /**
     * Returns the shape of a dataset, extended to the length of its unlimited NetCDF dimensions. In the file, a
     * variable may be shorter than an unlimited dimension; NetCDF reads the elements beyond its end as the fill value.
     */
    private long[] shapeOf(long address, Dataspace space, Map<String, AttributeMessages.Value> attributes) {
        long[] shape = space.isNull() ? new long[] {0} : space.shape().clone();
        if (space.isNull() || Arrays.stream(space.maxShape()).noneMatch(length -> length == -1)) {
            return shape;
        }
        List<Optional<Long>> scales = dimensions.scaleAddresses(attributes, shape.length);
        for (int d = 0; d < shape.length; d++) {
            // a scale describes its own first dimension
            boolean isOwn = d == 0 && DimensionNameReader.isScale(attributes);
            Optional<Long> scaleAddress = isOwn ? Optional.of(address) : scales.get(d);
            if (space.maxShape()[d] == -1 && scaleAddress.isPresent()) {
                shape[d] = Math.max(shape[d], unlimitedLength(scaleAddress.get()));
            }
        }
        return shape;
    }

    /**
     * Returns the length of an unlimited dimension of NetCDF, which is the length of its longest variable; 0 for other
     * scales.
     */
    private long unlimitedLength(long scaleAddress) {
        Long cached = unlimitedLengths.get(scaleAddress);
        if (cached == null) {
            cached = longestVariable(scaleAddress);
            unlimitedLengths.put(scaleAddress, cached);
        }
        return cached;
    }

    /** Returns the maximum length that the scale, or a dataset that uses it, has along the dimension. */
    private long longestVariable(long scaleAddress) {
        try {
            ObjectHeader header = headers.apply(scaleAddress);
            Map<String, AttributeMessages.Value> attributes = AttributeMessages.read(file, header);
            long[] scaleShape = readSpace(header).shape();
            // only dimensions of NetCDF have an id
            if (DimensionNameReader.id(attributes) < 0 || scaleShape.length == 0) {
                return 0;
            }
            long maxLength = scaleShape[0];
            for (DimensionNameReader.Use use : DimensionNameReader.uses(attributes)) {
                long[] shape = readSpace(headers.apply(use.address())).shape();
                if (use.dimension() >= 0 && use.dimension() < shape.length) {
                    maxLength = Math.max(maxLength, shape[use.dimension()]);
                }
            }
            return maxLength;
        } catch (CorruptDataException | UnsupportedException e) {
            return 0; // FileTree reports the objects that cannot be read
        }
    }

    private Hdf5Dataset read(
            long address, ObjectHeader header, String name, Map<String, AttributeMessages.Value> attributes) {
        Datatype datatype = Datatype.find(file, header)
                .orElseThrow(() -> Hdf5Errors.corrupt("a dataset: expected a datatype, found none"));
        Dataspace space = readSpace(header);
        if (!header.allOf(ObjectHeader.Type.EXTERNAL).isEmpty()) {
            throw Hdf5Errors.unsupported("a dataset whose elements are in other files");
        }
        Layout layout = header.find(file, ObjectHeader.Type.LAYOUT)
                .map(cursor -> Layout.read(cursor, space.shape().length))
                .orElseThrow(() -> Hdf5Errors.corrupt("a dataset: expected a layout, found none"));
        List<Filter> filters = header.find(file, ObjectHeader.Type.FILTERS)
                .map(Filter::readAll)
                .orElse(List.of());
        // Zarr has no elements that are arrays: their dimensions become further dimensions of the dataset
        List<Long> innerShape = new ArrayList<>();
        Datatype elementType = datatype;
        while (elementType instanceof Datatype.Block block) {
            innerShape.addAll(block.shape());
            elementType = block.base();
        }
        Datatype effectiveType = Datatype.decodedType(elementType);
        Hdf5ElementType type = effectiveType instanceof Datatype.Variable text && text.isText()
                ? textType(text)
                : Hdf5ElementType.of(effectiveType);
        elementBytes += type.bytes();
        if (elementBytes > FREE_ELEMENT_BYTES + file.size()) {
            throw Hdf5Errors.unsupported("a file whose elements of all datasets are together larger than the file and "
                    + FREE_ELEMENT_BYTES + " bytes");
        }
        byte[] storedFill = FillBytes.read(file, header, datatype.size(), type.bytes());
        Optional<PackedNumbersCodec> numbers = elementType.numberCodec();
        byte[] fill = numbers.map(codec -> codec.decodeElement(storedFill)).orElse(storedFill);
        long[] shape = shapeOf(address, space, attributes);
        List<Optional<String>> names = new ArrayList<>(dimensions.read(attributes, name, shape.length));
        innerShape.forEach(length -> names.add(Optional.empty()));
        ChunkStorage chunkStorage = chunkStorage(layout, space, filters, datatype.size());
        return new Hdf5Dataset(
                concatenate(shape, innerShape),
                concatenate(chunkStorage.chunkShape(), innerShape),
                chunkStorage.cutsEdges(),
                type,
                type.fillValue(effectiveType, fill),
                fill,
                numbers,
                chunkStorage.filters(),
                chunkStorage.isMasked(),
                attributeConversion
                        .convert(attributes)
                        .withRemarks(Datatype.valueNames(elementType).stream()
                                .map(valueNames -> "/data_type: the names of the values are left out: " + valueNames)
                                .toList()),
                List.copyOf(names),
                chunkStorage.chunks(innerShape.size()),
                new VariableTexts.FileLayout(file.widths(), file.fileOffset(0), file.size()));
    }

    /** Returns the type of texts of variable length: an element is a length and a position in the global heap. */
    private Hdf5ElementType textType(Datatype.Variable type) {
        Cursor.Widths widths = file.widths();
        if (type.size() != 8L + widths.offset()) {
            throw Hdf5Errors.corrupt("text of variable length: expected elements of " + (8 + widths.offset())
                    + " bytes, found " + type.size());
        }
        return Hdf5ElementType.textType(type, bytes -> {
            int itemSize = 1; // the length of a text counts bytes
            Cursor text = heap.readElement(new Cursor(bytes, widths, "a fill value"), itemSize);
            return Json.of(text.text(text.remaining()));
        });
    }

    /**
     * Returns a shape with further dimensions. Further dimensions of length 0 get length 1, as chunks cannot be empty.
     */
    private static long[] concatenate(long[] outer, List<Long> innerShape) {
        long[] result = java.util.Arrays.copyOf(outer, outer.length + innerShape.size());
        for (int i = 0; i < innerShape.size(); i++) {
            result[outer.length + i] = Math.max(1, innerShape.get(i));
        }
        return result;
    }

    /**
     * The chunks of a dataset, and how they are stored.
     *
     * @param cutsEdges whether the last chunk of a dimension is stored without the elements beyond the edge
     * @param isMasked whether HDF5 skipped filters for some of the chunks
     */
    private record ChunkStorage(
            long[] chunkShape,
            boolean cutsEdges,
            List<Filter> filters,
            boolean isMasked,
            List<Hdf5Dataset.Chunk> storedChunks) {
        /** Returns the chunks with further indices of 0, for the dimensions of elements that are arrays. */
        List<Hdf5Dataset.Chunk> chunks(int extraDimensions) {
            if (extraDimensions == 0) {
                return storedChunks;
            }
            List<Hdf5Dataset.Chunk> chunks = new ArrayList<>();
            for (Hdf5Dataset.Chunk chunk : storedChunks) {
                long[] cell = java.util.Arrays.copyOf(chunk.cell(), chunk.cell().length + extraDimensions);
                chunks.add(
                        chunk instanceof Hdf5Dataset.Part part
                                ? new Hdf5Dataset.Part(cell, part.offset(), part.size(), part.mask())
                                : new Hdf5Dataset.Inline(cell, ((Hdf5Dataset.Inline) chunk).bytes()));
            }
            return chunks;
        }
    }

    private ChunkStorage chunkStorage(Layout layout, Dataspace space, List<Filter> filters, long elementBytes) {
        if (layout instanceof Layout.Compact compact) {
            return compactStorage(compact, space, elementBytes);
        } else if (layout instanceof Layout.Contiguous contiguous) {
            return contiguousStorage(contiguous, space, elementBytes);
        } else if (layout instanceof Layout.Chunked chunked) {
            return chunkedStorage(chunked, space, filters, elementBytes);
        }
        throw Hdf5Errors.unsupported("a virtual dataset, whose elements are in other datasets,");
    }

    /** Returns the shape with 1 for empty dimensions, as the shape of chunks, which cannot be empty. */
    private static long[] atLeastOne(Dataspace space) {
        long[] shape = space.isNull() ? new long[] {0} : space.shape().clone();
        for (int d = 0; d < shape.length; d++) {
            shape[d] = Math.max(1, shape[d]);
        }
        return shape;
    }

    private static ChunkStorage compactStorage(Layout.Compact layout, Dataspace space, long elementBytes) {
        long[] chunk = atLeastOne(space);
        long expected = Math.multiplyExact(space.count(), elementBytes);
        if (layout.bytes().length < expected) {
            throw Hdf5Errors.corrupt(
                    "a compact dataset: expected " + expected + " bytes, found " + layout.bytes().length);
        }
        byte[] bytes = java.util.Arrays.copyOf(layout.bytes(), (int) expected);
        List<Hdf5Dataset.Chunk> chunks =
                expected == 0 ? List.of() : List.of(new Hdf5Dataset.Inline(new long[chunk.length], bytes));
        return new ChunkStorage(chunk, false, List.of(), false, chunks);
    }

    /**
     * Divides contiguous elements into slabs, so that reading a part of them is cheap. A slab has several rows in one
     * dimension and one row in each dimension before it.
     */
    private ChunkStorage contiguousStorage(Layout.Contiguous layout, Dataspace space, long elementBytes) {
        long[] shape = atLeastOne(space);
        long[] chunk = shape.clone();
        long totalBytes = Math.multiplyExact(space.count(), elementBytes);
        int dividedDimension = 0;
        long rowBytes = Math.max(1, totalBytes);
        // divides one dimension after the other, until the elements at one index fit into a slab
        while (dividedDimension < shape.length && rowBytes > SLAB_BYTES) {
            rowBytes /= shape[dividedDimension];
            chunk[dividedDimension++] = 1;
        }
        dividedDimension--;
        if (dividedDimension >= 0) {
            chunk[dividedDimension] =
                    slabLength(shape[dividedDimension], Math.max(1, SLAB_BYTES / rowBytes), allowsPartialChunks);
        }
        boolean hasPartialChunk = dividedDimension >= 0 && shape[dividedDimension] % chunk[dividedDimension] != 0;
        if (totalBytes == 0 || layout.address() == Cursor.UNDEFINED) {
            return new ChunkStorage(chunk, hasPartialChunk, List.of(), false, List.of());
        }
        long fileOffset = file.fileOffset(layout.address());
        if (totalBytes > file.size() - fileOffset) {
            throw Hdf5Errors.corrupt("a contiguous dataset: expected " + totalBytes + " bytes at byte " + fileOffset
                    + " within the file's " + file.size() + " bytes");
        }
        return new ChunkStorage(
                chunk, hasPartialChunk, List.of(), false, slabs(shape, chunk, dividedDimension, fileOffset, rowBytes));
    }

    /**
     * Returns the slabs, which follow one another in the file.
     *
     * @param dividedDimension the dimension that is divided; -1 if there is one slab
     * @param rowBytes the size of a row of that dimension, or of all elements
     */
    private static List<Hdf5Dataset.Chunk> slabs(
            long[] shape, long[] chunk, int dividedDimension, long fileOffset, long rowBytes) {
        long[] cells = new long[shape.length];
        long count = 1;
        for (int d = 0; d < shape.length; d++) {
            cells[d] = (shape[d] - 1) / chunk[d] + 1;
            count = Math.multiplyExact(count, cells[d]);
        }
        if (count > ChunkIndex.MAX_CHUNKS) {
            throw Hdf5Errors.unsupported("a contiguous dataset of more than " + ChunkIndex.MAX_CHUNKS + " slabs");
        }
        List<Hdf5Dataset.Chunk> slabs = new ArrayList<>();
        long slabOffset = fileOffset;
        for (long i = 0; i < count; i++) {
            long[] cell = unravel(i, cells);
            long rows = dividedDimension < 0
                    ? 1
                    : Math.min(
                            chunk[dividedDimension],
                            shape[dividedDimension] - cell[dividedDimension] * chunk[dividedDimension]);
            slabs.add(new Hdf5Dataset.Part(cell, slabOffset, rows * rowBytes, 0));
            slabOffset += rows * rowBytes;
        }
        return slabs;
    }

    /** Returns the indices of the slab with a number in C order. */
    private static long[] unravel(long number, long[] cells) {
        long[] cell = new long[cells.length];
        for (int d = cells.length; d-- > 0; ) {
            cell[d] = number % cells[d];
            number /= cells[d];
        }
        return cell;
    }

    /**
     * Returns the length of slabs: at most {@code maxLength}, and a divisor of {@code length} if possible. Otherwise
     * the last slab is shorter if that is allowed. If not, there is only one slab.
     */
    private static long slabLength(long length, long maxLength, boolean allowsPartialChunks) {
        for (long divisor = Math.min(maxLength, length); divisor > maxLength / MIN_SHARE; divisor--) {
            if (length % divisor == 0) {
                return divisor;
            }
        }
        return allowsPartialChunks ? Math.min(maxLength, length) : length;
    }

    private ChunkStorage chunkedStorage(
            Layout.Chunked layout, Dataspace space, List<Filter> filters, long elementBytes) {
        long chunkBytes = elementBytes;
        try {
            for (long length : layout.shape()) {
                chunkBytes = Math.multiplyExact(chunkBytes, length);
            }
        } catch (ArithmeticException e) {
            throw Hdf5Errors.corrupt("a chunk: expected less than 2^63 bytes, found more");
        }
        // bit i of a chunk's mask says that filter i was skipped; bits beyond the last filter have no meaning
        int knownFilters = (1 << Math.min(filters.size(), 31)) - 1;
        boolean isMasked = false;
        List<Hdf5Dataset.Chunk> chunks = new ArrayList<>();
        for (ChunkIndex.Chunk chunk : ChunkIndex.read(file, layout, space, !filters.isEmpty(), chunkBytes)) {
            int mask = chunk.mask() & knownFilters;
            isMasked |= mask != 0;
            chunks.add(new Hdf5Dataset.Part(chunk.cell(), file.fileOffset(chunk.address()), chunk.size(), mask));
        }
        return new ChunkStorage(layout.shape(), false, filters, isMasked, chunks);
    }
}
