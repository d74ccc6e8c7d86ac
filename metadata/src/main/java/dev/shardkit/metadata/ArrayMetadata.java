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
 * The metadata of an array, as {@code zarr.json} states them: shape, data type, chunk grid, codecs, attributes and so
 * on. Immutable and thread-safe. This class performs no I/O.
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
    private final List<String> remarks;
    private final @Nullable Json statedCodecs;
    private final @Nullable Json statedFill;
    private final Json.Obj otherMembers;

    private ArrayMetadata(Builder builder) {
        this.shape = builder.shape.clone();
        this.dataType = builder.dataType;
        this.chunkGrid = builder.chunkGrid;
        this.chunkKeyEncoding = builder.chunkKeyEncoding;
        this.fillValue = builder.fillValue;
        this.codecs = builder.codecs;
        this.storageTransformers = List.copyOf(builder.storageTransformers);
        this.attributes = builder.attributes;
        this.dimensionNames = builder.dimensionNames == null ? null : List.copyOf(builder.dimensionNames);
        this.ignoredCodecs = List.copyOf(builder.ignoredCodecs);
        this.remarks = List.copyOf(builder.remarks);
        this.statedCodecs = builder.statedCodecs;
        this.statedFill = builder.statedFill;
        this.otherMembers = builder.otherMembers;
    }

    /** Starts a builder with the required values. The others have defaults. */
    public static Builder builder(
            long[] shape,
            DataType dataType,
            ChunkGrid chunkGrid,
            ChunkKeyEncoding chunkKeyEncoding,
            CodecChain codecs) {
        return new Builder(shape, dataType, chunkGrid, chunkKeyEncoding, codecs);
    }

    /** Starts a builder with the values of these metadata. */
    public Builder toBuilder() {
        Builder builder = builder(shape, dataType, chunkGrid, chunkKeyEncoding, codecs);
        builder.fillValue = fillValue;
        builder.storageTransformers = storageTransformers;
        builder.attributes = attributes;
        builder.dimensionNames = dimensionNames;
        builder.ignoredCodecs = ignoredCodecs;
        builder.remarks = remarks;
        builder.statedCodecs = statedCodecs;
        builder.statedFill = statedFill;
        builder.otherMembers = otherMembers;
        return builder;
    }

    /** Returns these metadata with other attributes. */
    public ArrayMetadata withAttributes(Json.Obj other) {
        return toBuilder().attributes(other).build();
    }

    /**
     * Returns these metadata with another shape of the same number of dimensions. The chunk grid extends to the new
     * shape.
     */
    public ArrayMetadata withShape(long[] other) {
        Builder builder = toBuilder();
        builder.shape = other.clone();
        builder.chunkGrid = chunkGrid.resize(other);
        return builder.build();
    }

    /** Returns the shape. */
    public long[] shape() {
        return shape.clone();
    }

    /** Returns the number of dimensions. */
    public int rank() {
        return shape.length;
    }

    /** Returns the data type. */
    public DataType dataType() {
        return dataType;
    }

    /** Returns the grid that divides the array into chunks, or into shards if it has shards. */
    public ChunkGrid chunkGrid() {
        return chunkGrid;
    }

    /** Returns the chunk key encoding. */
    public ChunkKeyEncoding chunkKeyEncoding() {
        return chunkKeyEncoding;
    }

    /** Returns the value of elements that were never written. */
    public FillValue fillValue() {
        return fillValue;
    }

    /** Returns the codecs in use; see {@link #ignoredCodecs}. */
    public CodecChain codecs() {
        return codecs;
    }

    /** Returns the storage transformers. The first is nearest to the array. */
    public List<StorageTransformer> storageTransformers() {
        return storageTransformers;
    }

    @Override
    public Json.Obj attributes() {
        return attributes;
    }

    /** Returns a name or none for each dimension; empty if the metadata name no dimensions. */
    public Optional<List<Optional<String>>> dimensionNames() {
        return Optional.ofNullable(dimensionNames);
    }

    /**
     * Returns the names of unknown codecs, including those of inner chunks, that may be ignored
     * ({@code must_understand: false}). Chunks are read without them. An array with ignored codecs must not be written.
     */
    public List<String> ignoredCodecs() {
        return ignoredCodecs;
    }

    @Override
    public List<String> remarks() {
        return remarks;
    }

    /** Returns the unknown members that may be ignored ({@code must_understand: false}). They are written back. */
    public Json.Obj otherMembers() {
        return otherMembers;
    }

    /** Returns the codecs as stated in the document, if they contain ignored codecs. */
    Optional<Json> statedCodecs() {
        return Optional.ofNullable(statedCodecs);
    }

    /** Returns the fill value as stated in the document, if it is {@code null} and stands for zero. */
    Optional<Json> statedFill() {
        return Optional.ofNullable(statedFill);
    }

    /** Returns the type of the chunk at {@code cell}, to which the codecs are bound. */
    public ChunkType chunkType(long[] cell) {
        return ChunkType.of(dataType, fillValue, chunkGrid.chunk(cell).shape());
    }

    /** Compares the documents that would be written. */
    @Override
    public boolean equals(Object other) {
        return other instanceof ArrayMetadata that
                && MetadataWriter.document(this).equals(MetadataWriter.document(that));
    }

    @Override
    public int hashCode() {
        return MetadataWriter.document(this).hashCode();
    }

    @Override
    public String toString() {
        return "array of " + dataType.name() + java.util.Arrays.toString(shape);
    }

    /** Builds the metadata of an array. Not thread-safe. */
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
        private List<String> remarks = List.of();
        private @Nullable Json statedCodecs;
        private @Nullable Json statedFill;
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

        /** Sets the fill value. The default is that of the data type. */
        public Builder fillValue(FillValue value) {
            fillValue = value;
            statedFill = null;
            return this;
        }

        /** Sets the fill value to that of an array with the same data type, as its document states it. */
        public Builder fillValueOf(ArrayMetadata other) {
            fillValue = other.fillValue;
            statedFill = other.statedFill;
            return this;
        }

        /** Sets the storage transformers. The default is none. */
        public Builder storageTransformers(List<StorageTransformer> transformers) {
            storageTransformers = transformers;
            return this;
        }

        /** Sets the attributes. The default is none. */
        public Builder attributes(Json.Obj value) {
            attributes = value;
            return this;
        }

        /** Sets the names of the dimensions. The default is no names. */
        public Builder dimensionNames(List<Optional<String>> names) {
            dimensionNames = List.copyOf(names);
            return this;
        }

        Builder ignoredCodecs(List<String> names) {
            ignoredCodecs = names;
            return this;
        }

        Builder remarks(List<String> values) {
            remarks = values;
            return this;
        }

        Builder statedCodecs(Json stated) {
            statedCodecs = stated;
            return this;
        }

        /** Call after {@link #fillValue}. */
        Builder statedFill(Json stated) {
            statedFill = stated;
            return this;
        }

        Builder otherMembers(Json.Obj members) {
            otherMembers = members;
            return this;
        }

        /**
         * Builds the metadata.
         *
         * @throws MetadataException if the parts differ in the number of dimensions, or a length is negative
         */
        public ArrayMetadata build() {
            for (int d = 0; d < shape.length; d++) {
                if (shape[d] < 0) {
                    throw new MetadataException("/shape/" + d + ": expected a length of at least 0, found " + shape[d]);
                }
            }
            checkRank("/chunk_grid", chunkGrid.gridShape().length);
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
