package dev.shardkit.maintenance.copy;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.convert.Conversion;
import dev.shardkit.maintenance.destination.PortableCodecs;
import dev.shardkit.maintenance.staging.ShapeFitting;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.IndexEncoding;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.ShardingLayout;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The requested layout of a copy, where it differs from the source. Immutable.
 *
 * <p>A component is null if the copy takes it from the source.
 *
 * @param shardShape the shape of its shards; {@link #UNSHARDED} for none
 * @param chunkShape the shape of its chunks or inner chunks
 * @param codecs the codecs of its chunks or inner chunks
 * @param indexLocation the location of its shard indexes
 * @param exact the complete metadata of the copy of an array; it replaces all other components
 * @param scope whether the request is for one array or for a tree
 */
record LayoutOverrides(
        long @Nullable [] shardShape,
        long @Nullable [] chunkShape,
        Json @Nullable [] codecs,
        @Nullable IndexLocation indexLocation,
        @Nullable ArrayMetadata exact,
        Scope scope) {
    /** Whether the request is for one array or for a tree. */
    enum Scope {
        /** One array. Shapes that do not fit it are refused. */
        ARRAY,
        /** All arrays of a tree. The shapes are adapted to each array. */
        TREE
    }

    /** Marks a copy without shards. Compare it by identity: the shard shape of a scalar is empty too. */
    static final long[] UNSHARDED = new long[0];

    /** Returns overrides that change nothing, for one array. */
    static LayoutOverrides none() {
        return of(Scope.ARRAY);
    }

    /** Returns overrides that change nothing. */
    static LayoutOverrides of(Scope scope) {
        return new LayoutOverrides(null, null, null, null, null, scope);
    }

    LayoutOverrides withShardShape(long @Nullable [] shape) {
        return new LayoutOverrides(shape, chunkShape, codecs, indexLocation, null, scope);
    }

    LayoutOverrides withChunkShape(long @Nullable [] shape) {
        return new LayoutOverrides(shardShape, shape, codecs, indexLocation, null, scope);
    }

    LayoutOverrides withCodecs(Json... list) {
        return new LayoutOverrides(shardShape, chunkShape, list, indexLocation, null, scope);
    }

    LayoutOverrides withIndexLocation(@Nullable IndexLocation location) {
        return new LayoutOverrides(shardShape, chunkShape, codecs, location, null, scope);
    }

    LayoutOverrides withExact(ArrayMetadata metadata) {
        return new LayoutOverrides(null, null, null, null, metadata, scope);
    }

    /** Returns the number of lengths that the requested shapes have; empty if none is requested. */
    OptionalInt rank() {
        return shardShape != null && shardShape != UNSHARDED
                ? OptionalInt.of(shardShape.length)
                : chunkShape != null ? OptionalInt.of(chunkShape.length) : OptionalInt.empty();
    }

    private String shapeName() {
        return shardShape != null && shardShape != UNSHARDED ? "shard shape" : "chunk shape";
    }

    /** Returns the error if no array of the tree has the requested number of dimensions. */
    IllegalArgumentException noArray(String tree) {
        return ShapeFitting.noArray(shapeName(), rank().orElse(0), tree);
    }

    /** Returns how the layout of an array of a tree differs from the requested one. */
    Optional<String> note(ZarrArray from, ZarrOptions options) {
        if (scope == Scope.TREE && rank().isEmpty() && indexLocation != null && !from.isSharded()) {
            return Optional.of("keeps its layout: it has no shards, so no index");
        } else if (scope != Scope.TREE || rank().isEmpty()) {
            return Optional.empty();
        }
        Optional<String> misfit = ShapeFitting.rankMismatch(shapeName(), rank().getAsInt(), from.shape().length);
        if (misfit.isPresent()) {
            return misfit;
        }
        LayoutOverrides fitting = fitTo(from, sourceMetadata(from, options));
        return ShapeFitting.describeChange(
                        "shard shape", shardShape == UNSHARDED ? null : shardShape, fitting.shardShape)
                .or(() -> ShapeFitting.describeChange("chunk shape", chunkShape, fitting.chunkShape));
    }

    /**
     * Returns the request with shapes that fit this array, if the request is for a tree. An array with another number
     * of dimensions keeps its chunks and shards, except that {@link #UNSHARDED} applies to it too.
     */
    private LayoutOverrides fitTo(ZarrArray from, ArrayMetadata source) {
        int length = from.shape().length;
        if (scope != Scope.TREE) {
            return this;
        } else if (rank().isEmpty() || rank().getAsInt() != length) {
            return withChunkShape(null)
                    .withShardShape(shardShape == UNSHARDED ? UNSHARDED : null)
                    .withIndexLocation(from.isSharded() ? indexLocation : null);
        }
        LayoutOverrides fitting = chunkShape == null || chunkShape.length != length
                ? this
                : withChunkShape(ShapeFitting.fitChunk(chunkShape, from.shape()));
        if (shardShape == UNSHARDED) {
            return fitting;
        }
        Layout old = Layout.of(from, source);
        long @Nullable [] shard = shardShape != null ? shardShape : old.shardShape;
        return shard == null || !source.chunkGrid().name().equals("regular")
                ? fitting
                : fitting.withShardShape(
                        ShapeFitting.fitShard(shard, orElse(fitting.chunkShape, old.chunkShape), from.shape()));
    }

    /** Whether this is the layout of the source. */
    boolean isEmpty() {
        return shardShape == null && chunkShape == null && codecs == null && indexLocation == null && exact == null;
    }

    /** Returns the metadata of the copy of {@code from}. */
    ArrayMetadata metadata(ZarrArray from, ZarrOptions options) {
        if (exact != null) {
            return exact;
        }
        ArrayMetadata source = sourceMetadata(from, options);
        LayoutOverrides fitting = fitTo(from, source);
        if (fitting.isEmpty()) {
            return withoutSkippedCodecs(source);
        }
        try {
            return Zarr.describe(fitting.spec(from, source), options).toBuilder()
                    .fillValueOf(source)
                    .build();
        } catch (MetadataException | UnsupportedException e) { // the request is invalid, not the source
            throw new IllegalArgumentException(e.fact() + " [copy of " + from.location() + "]", e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(e.getMessage() + " [copy of " + from.location() + "]", e);
        }
    }

    /** Returns the metadata of the source, of an array in another format its equivalent in Zarr v3. */
    private static ArrayMetadata sourceMetadata(ZarrArray from, ZarrOptions options) {
        boolean isForeign = from.nodeFormat().isPresent()
                || PortableCodecs.isFromOtherFormat(from.metadata().codecs().json());
        return isForeign ? Conversion.portable(from.metadata(), options) : from.metadata();
    }

    /** Removes skipped codecs and storage transformers, because the copy stores plain chunks. */
    private static ArrayMetadata withoutSkippedCodecs(ArrayMetadata from) {
        ArrayMetadata.Builder copy = ArrayMetadata.builder(
                from.shape(), from.dataType(), from.chunkGrid(), from.chunkKeyEncoding(), from.codecs());
        from.dimensionNames().ifPresent(copy::dimensionNames);
        return copy.fillValueOf(from).attributes(from.attributes()).build();
    }

    /** Returns the arguments of the new array: the requested layout, and everything else as in the source. */
    private ArraySpec spec(ZarrArray from, ArrayMetadata metadata) {
        ArraySpec spec = ArraySpec.of(from.dataType().json(), from.shape())
                .withFillValue(from.dataType().formatFill(from.fillValue()))
                .withChunkKeyEncoding(Json.extension(
                        metadata.chunkKeyEncoding().name(),
                        metadata.chunkKeyEncoding().configuration()))
                .withAttributes(metadata.attributes());
        if (metadata.dimensionNames().isPresent()) {
            spec = spec.withDimensionNames(metadata.dimensionNames().get());
        }
        Layout old = shardShape == UNSHARDED ? Layout.unsharded(from, metadata) : Layout.of(from, metadata);
        if (keepsGrid(from, metadata)) {
            return specOnSourceGrid(spec, from, metadata.chunkGrid(), old);
        }
        long[] shard = shardShape != null && shardShape != UNSHARDED ? shardShape : old.shardShape;
        if (shard == null) {
            checkIndexLocation(from);
        }
        spec = spec.withChunkShape(orElse(chunkShape, old.chunkShape)).withCodecs(orElse(codecs, old.codecs));
        if (shard != null) {
            spec = spec.withShardShape(shard).withIndexLocation(orElse(indexLocation, old.indexLocation));
            return old.indexCodecs != null ? spec.withIndexCodecs(old.indexCodecs) : spec;
        }
        return spec;
    }

    /** Whether the copy keeps the source's grid, which a single shape cannot describe. */
    private boolean keepsGrid(ZarrArray from, ArrayMetadata metadata) {
        return !metadata.chunkGrid().name().equals("regular")
                && shardShape == null
                && (chunkShape == null || from.isSharded());
    }

    private static <T> T orElse(@Nullable T chosen, T old) {
        return chosen != null ? chosen : old;
    }

    private ArraySpec specOnSourceGrid(ArraySpec spec, ZarrArray from, ChunkGrid grid, Layout old) {
        ArraySpec copy = spec.withChunkGrid(Json.extension(grid.name(), grid.configuration()))
                .withCodecs(orElse(codecs, old.codecs));
        if (!from.isSharded()) {
            checkIndexLocation(from);
            return copy;
        }
        copy = copy.withChunkShape(orElse(chunkShape, old.chunkShape))
                .withIndexLocation(orElse(indexLocation, old.indexLocation));
        return old.indexCodecs != null ? copy.withIndexCodecs(old.indexCodecs) : copy;
    }

    private void checkIndexLocation(ZarrArray from) {
        if (indexLocation != null) {
            throw new IllegalArgumentException("an index location applies to shards, and " + from.location()
                    + " has none: give a shard shape too");
        }
    }

    /** The layout of the source, as arguments of {@link ArraySpec}. */
    private record Layout(
            long @Nullable [] shardShape,
            long[] chunkShape,
            Json[] codecs,
            Json @Nullable [] indexCodecs,
            IndexLocation indexLocation) {

        static Layout of(ZarrArray from, ArrayMetadata metadata) {
            CodecChain chain = metadata.codecs();
            if (!from.isSharded()) {
                return new Layout(null, from.storedChunkShape(), json(chain), null, IndexLocation.END);
            }
            long[] shard = from.storedChunkShape();
            Optional<ShardingLayout> sharding = chain.arrayToBytes().sharding();
            if (sharding.isPresent() && chain.codecs().size() == 1) {
                IndexEncoding index = sharding.get().index();
                return new Layout(
                        shard,
                        sharding.get().innerShape(),
                        json(sharding.get().codecs()),
                        index.codecs().toArray(Json[]::new),
                        index.location());
            }
            // inner chunks are read through the codecs around the shards; only the inner chunks' codecs are kept
            return new Layout(shard, from.chunkShape(), json(innermost(chain)), null, IndexLocation.END);
        }

        /** Returns the layout of the inner chunks. */
        static Layout unsharded(ZarrArray from, ArrayMetadata metadata) {
            return from.isSharded()
                    ? new Layout(null, from.chunkShape(), json(innermost(metadata.codecs())), null, IndexLocation.END)
                    : of(from, metadata);
        }

        private static Json[] json(CodecChain chain) {
            return chain.json().toArray(Json[]::new);
        }

        /** Returns the codecs of the innermost inner chunks. */
        private static CodecChain innermost(CodecChain chain) {
            return chain.arrayToBytes()
                    .sharding()
                    .map(sharding -> innermost(sharding.codecs()))
                    .orElse(chain);
        }
    }
}
