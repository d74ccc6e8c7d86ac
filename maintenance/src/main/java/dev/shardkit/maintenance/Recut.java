package dev.shardkit.maintenance;

import dev.shardkit.ArraySpec;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
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
 * @param exact the metadata of the copy of an array, if it does not depend on the source
 */
record Recut(
        long @Nullable [] shardShape,
        long @Nullable [] chunkShape,
        Json @Nullable [] codecs,
        @Nullable IndexLocation indexLocation,
        @Nullable ArrayMetadata exact) {
    /** The shape of shards of a copy without shards. Its identity counts: it is also the shape of a scalar's shards. */
    static final long[] UNSHARDED = new long[0];

    /** Returns the layout of the source. */
    static Recut none() {
        return new Recut(null, null, null, null, null);
    }

    Recut withShardShape(long[] shape) {
        return new Recut(shape, chunkShape, codecs, indexLocation, null);
    }

    /** Whether this is the layout of the source. */
    boolean isNone() {
        return shardShape == null && chunkShape == null && codecs == null && indexLocation == null && exact == null;
    }

    /** Returns the metadata of the copy of {@code from}. */
    ArrayMetadata metadata(ZarrArray from, ZarrOptions options) {
        if (exact != null) {
            return exact;
        }
        boolean isForeign = from.nodeFormat().isPresent()
                || PortableCodecs.isOfAFile(from.metadata().codecs().json());
        ArrayMetadata source = isForeign ? Conversion.portable(from.metadata(), options) : from.metadata();
        if (isNone()) {
            return same(source);
        }
        ArraySpec spec = spec(from, source);
        try {
            return Zarr.describe(spec, options);
        } catch (MetadataException | UnsupportedException e) { // the requested shape
            throw new IllegalArgumentException(e.fact() + " [copy of " + from.location() + "]", e);
        }
    }

    /** Removes skipped codecs and storage transformers, because the copy stores plain chunks. */
    private static ArrayMetadata same(ArrayMetadata from) {
        ArrayMetadata.Builder copy = ArrayMetadata.builder(
                from.shape(), from.dataType(), from.chunkGrid(), from.chunkKeyEncoding(), from.codecs());
        from.dimensionNames().ifPresent(copy::dimensionNames);
        return copy.fillValue(from.fillValue()).attributes(from.attributes()).build();
    }

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
            return onGrid(spec, from, metadata.chunkGrid(), old);
        }
        long[] shard = shardShape != null && shardShape != UNSHARDED ? shardShape : old.shardShape;
        if (shard == null) {
            checkIndexLocation(from);
        }
        spec = spec.withChunkShape(or(chunkShape, old.chunkShape)).withCodecs(or(codecs, old.codecs));
        if (shard != null) {
            spec = spec.withShardShape(shard).withIndexLocation(or(indexLocation, old.indexLocation));
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

    private static <T> T or(@Nullable T chosen, T old) {
        return chosen != null ? chosen : old;
    }

    private ArraySpec onGrid(ArraySpec spec, ZarrArray from, ChunkGrid grid, Layout old) {
        ArraySpec copy = spec.withChunkGrid(Json.extension(grid.name(), grid.configuration()))
                .withCodecs(or(codecs, old.codecs));
        if (!from.isSharded()) {
            checkIndexLocation(from);
            return copy;
        }
        copy = copy.withChunkShape(or(chunkShape, old.chunkShape))
                .withIndexLocation(or(indexLocation, old.indexLocation));
        return old.indexCodecs != null ? copy.withIndexCodecs(old.indexCodecs) : copy;
    }

    private void checkIndexLocation(ZarrArray from) {
        if (indexLocation != null) {
            throw new IllegalArgumentException("an index location applies to shards, and " + from.location()
                    + " has none: give a shard shape too");
        }
    }

    /** The layout of the source, in terms of the options of {@code create}. */
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
