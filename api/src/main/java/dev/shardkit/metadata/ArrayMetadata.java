package dev.shardkit.metadata;

import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.ChunkKeyEncoding;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an array. Immutable and thread-safe. It says how an array is stored, and reads or writes nothing
 * itself.
 */
public final class ArrayMetadata implements NodeMetadata {
    private final long[] shape;
    private final DataType dataType;
    private final ChunkGrid chunkGrid;
    private final ChunkKeyEncoding chunkKeyEncoding;
    private final FillValue fillValue;
    private final CodecChain codecs;
    private final List<StorageTransformer> storageTransformers;
    private final Json.Obj attributes;
    private final @Nullable List<Optional<String>> dimensionNames;
    private final List<String> ignoredCodecs;
    private final @Nullable Json statedCodecs;
    private final Json.Obj otherMembers;

    private ArrayMetadata(Builder b) {
        this.shape = b.shape.clone();
        this.dataType = b.dataType;
        this.chunkGrid = b.chunkGrid;
        this.chunkKeyEncoding = b.chunkKeyEncoding;
        this.fillValue = b.fillValue;
        this.codecs = b.codecs;
        this.storageTransformers = List.copyOf(b.storageTransformers);
        this.attributes = b.attributes;
        this.dimensionNames = b.dimensionNames == null ? null : List.copyOf(b.dimensionNames);
        this.ignoredCodecs = List.copyOf(b.ignoredCodecs);
        this.statedCodecs = b.statedCodecs;
        this.otherMembers = b.otherMembers;
    }

    /** Starts with what every array has; the rest has defaults. */
    public static Builder builder(
            long[] shape,
            DataType dataType,
            ChunkGrid chunkGrid,
            ChunkKeyEncoding chunkKeyEncoding,
            CodecChain codecs) {
        return new Builder(shape, dataType, chunkGrid, chunkKeyEncoding, codecs);
    }

    /** Starts with all that this one says. */
    public Builder toBuilder() {
        Builder b = builder(shape, dataType, chunkGrid, chunkKeyEncoding, codecs);
        b.fillValue = fillValue;
        b.storageTransformers = storageTransformers;
        b.attributes = attributes;
        b.dimensionNames = dimensionNames;
        b.ignoredCodecs = ignoredCodecs;
        b.statedCodecs = statedCodecs;
        b.otherMembers = otherMembers;
        return b;
    }

    /** The same with other attributes. */
    public ArrayMetadata withAttributes(Json.Obj other) {
        return toBuilder().attributes(other).build();
    }

    /** The same with other lengths, of as many dimensions; the chunk grid goes on as it is. */
    public ArrayMetadata withShape(long[] other) {
        Builder b = toBuilder();
        b.shape = other.clone();
        b.chunkGrid = chunkGrid.resize(other);
        return b.build();
    }

    /** The length in each dimension. */
    public long[] shape() {
        return shape.clone();
    }

    /** How many dimensions. */
    public int rank() {
        return shape.length;
    }

    /** The elements' type. */
    public DataType dataType() {
        return dataType;
    }

    /** How it is cut into chunks (shards, where it is sharded). */
    public ChunkGrid chunkGrid() {
        return chunkGrid;
    }

    /** How chunks become keys. */
    public ChunkKeyEncoding chunkKeyEncoding() {
        return chunkKeyEncoding;
    }

    /** The value of elements that were never written. */
    public FillValue fillValue() {
        return fillValue;
    }

    /** The codecs that are used; see {@link #ignoredCodecs}. */
    public CodecChain codecs() {
        return codecs;
    }

    /** The storage transformers, that next to the array first. */
    public List<StorageTransformer> storageTransformers() {
        return storageTransformers;
    }

    @Override
    public Json.Obj attributes() {
        return attributes;
    }

    /** A name or none for each dimension, if the metadata names dimensions at all. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return Optional.ofNullable(dimensionNames);
    }

    /**
     * The names of codecs, of inner chunks too, that no plug-in claims and that need not be understood. Chunks are read
     * without them. An array that has any must not be written to.
     */
    public List<String> ignoredCodecs() {
        return ignoredCodecs;
    }

    /** Unknown members that need not be understood; they are written back. */
    public Json.Obj otherMembers() {
        return otherMembers;
    }

    /** The codecs as they were stated, where the codecs alone do not tell it all. */
    Optional<Json> statedCodecs() {
        return Optional.ofNullable(statedCodecs);
    }

    /** What the codecs are bound to for the chunk at {@code cell}. */
    public ChunkType chunkType(long[] cell) {
        return ChunkType.of(dataType, fillValue, chunkGrid.chunk(cell).shape());
    }

    /** Equal when the documents that would be written are. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ArrayMetadata a && MetadataWriter.document(this).equals(MetadataWriter.document(a));
    }

    @Override
    public int hashCode() {
        return MetadataWriter.document(this).hashCode();
    }

    @Override
    public String toString() {
        return "array of " + dataType.name() + java.util.Arrays.toString(shape);
    }

    /** Collects what an array's metadata says. Not thread-safe. */
    public static final class Builder {
        private long[] shape;
        private final DataType dataType;
        private ChunkGrid chunkGrid;
        private final ChunkKeyEncoding chunkKeyEncoding;
        private final CodecChain codecs;
        private FillValue fillValue;
        private List<StorageTransformer> storageTransformers = List.of();
        private Json.Obj attributes = Json.object();
        private @Nullable List<Optional<String>> dimensionNames;
        private List<String> ignoredCodecs = List.of();
        private @Nullable Json statedCodecs;
        private Json.Obj otherMembers = Json.object();

        private Builder(
                long[] shape,
                DataType dataType,
                ChunkGrid chunkGrid,
                ChunkKeyEncoding chunkKeyEncoding,
                CodecChain codecs) {
            this.shape = shape.clone();
            this.dataType = dataType;
            this.chunkGrid = chunkGrid;
            this.chunkKeyEncoding = chunkKeyEncoding;
            this.codecs = codecs;
            this.fillValue = dataType.defaultFill();
        }

        /** Sets the fill value; by default that of the data type. */
        public Builder fillValue(FillValue value) {
            fillValue = value;
            return this;
        }

        /** Sets the storage transformers; by default none. */
        public Builder storageTransformers(List<StorageTransformer> transformers) {
            storageTransformers = transformers;
            return this;
        }

        /** Sets the attributes; by default none. */
        public Builder attributes(Json.Obj value) {
            attributes = value;
            return this;
        }

        /** Names the dimensions; by default they have no names. */
        public Builder dimensionNames(List<Optional<String>> names) {
            dimensionNames = List.copyOf(names);
            return this;
        }

        Builder ignoredCodecs(List<String> names) {
            ignoredCodecs = names;
            return this;
        }

        Builder statedCodecs(Json stated) {
            statedCodecs = stated;
            return this;
        }

        Builder otherMembers(Json.Obj members) {
            otherMembers = members;
            return this;
        }

        /**
         * Makes the metadata.
         *
         * @throws MetadataException if its parts differ in rank or a length is negative
         */
        public ArrayMetadata build() {
            for (int d = 0; d < shape.length; d++) {
                if (shape[d] < 0) {
                    throw new MetadataException("/shape/" + d + ": expected a length of at least 0, found " + shape[d]);
                }
            }
            checkRank("/chunk_grid", chunkGrid.cells().length);
            if (dimensionNames != null) {
                checkRank("/dimension_names", dimensionNames.size());
            }
            return new ArrayMetadata(this);
        }

        private void checkRank(String pointer, int rank) {
            if (rank != shape.length) {
                throw new MetadataException(
                        pointer + ": expected " + shape.length + " dimensions as in /shape, found " + rank);
            }
        }
    }
}
