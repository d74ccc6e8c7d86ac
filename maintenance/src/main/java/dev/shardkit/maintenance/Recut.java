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

/**
 * The requested layout of a copy, where it differs from the source. Immutable.
 *
 * @param shardShape the shape of its shards
 * @param chunkShape the shape of its chunks or inner chunks
 * @param codecs the codecs of its chunks or inner chunks
 * @param indexLocation the location of its shard indexes
 */
record Recut(
        Optional<long[]> shardShape,
        Optional<long[]> chunkShape,
        Optional<Json[]> codecs,
        Optional<IndexLocation> indexLocation) {
    /** Returns the layout of the source. */
    static Recut none() {
        return new Recut(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the metadata of the copy of {@code from}. */
    ArrayMetadata metadata(ZarrArray from, ZarrOptions options) {
        ArrayMetadata source =
                from.nodeFormat().isPresent() ? Conversion.portable(from.metadata(), options) : from.metadata();
        if (shardShape.isEmpty() && chunkShape.isEmpty() && codecs.isEmpty() && indexLocation.isEmpty()) {
            return same(source);
        }
        ArraySpec spec = spec(from, source);
        try {
            return Zarr.describe(spec, options);
        } catch (MetadataException | UnsupportedException e) { // the requested shape
            throw new IllegalArgumentException(e.getClass().getSimpleName() + ": " + e.fact(), e);
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
        Layout old = Layout.of(from, metadata);
        if (keepsGrid(from)) {
            return onGrid(spec, from, old);
        }
        Optional<long[]> shard = shardShape.or(old::shardShape);
        if (shard.isEmpty()) {
            checkIndexLocation(from);
        }
        spec = spec.withChunkShape(chunkShape.orElse(old.chunkShape)).withCodecs(codecs.orElse(old.codecs));
        if (shard.isPresent()) {
            spec = spec.withShardShape(shard.get()).withIndexLocation(indexLocation.orElse(old.indexLocation));
            return old.indexCodecs.isPresent() ? spec.withIndexCodecs(old.indexCodecs.get()) : spec;
        }
        return spec;
    }

    /** Whether the copy keeps the source's grid, which a single shape cannot describe. */
    private boolean keepsGrid(ZarrArray from) {
        return !from.metadata().chunkGrid().name().equals("regular")
                && shardShape.isEmpty()
                && (chunkShape.isEmpty() || from.isSharded());
    }

    private ArraySpec onGrid(ArraySpec spec, ZarrArray from, Layout old) {
        ChunkGrid grid = from.metadata().chunkGrid();
        ArraySpec copy = spec.withChunkGrid(Json.extension(grid.name(), grid.configuration()))
                .withCodecs(codecs.orElse(old.codecs));
        if (!from.isSharded()) {
            checkIndexLocation(from);
            return copy;
        }
        copy = copy.withChunkShape(chunkShape.orElse(old.chunkShape))
                .withIndexLocation(indexLocation.orElse(old.indexLocation));
        return old.indexCodecs.isPresent() ? copy.withIndexCodecs(old.indexCodecs.get()) : copy;
    }

    private void checkIndexLocation(ZarrArray from) {
        if (indexLocation.isPresent()) {
            throw new IllegalArgumentException("an index location applies to shards, and " + from.location()
                    + " has none: give a shard shape too");
        }
    }

    /** The layout of the source, in terms of the options of {@code create}. */
    private record Layout(
            Optional<long[]> shardShape,
            long[] chunkShape,
            Json[] codecs,
            Optional<Json[]> indexCodecs,
            IndexLocation indexLocation) {

        static Layout of(ZarrArray from, ArrayMetadata metadata) {
            CodecChain chain = metadata.codecs();
            if (!from.isSharded()) {
                return new Layout(
                        Optional.empty(), from.storedChunkShape(), json(chain), Optional.empty(), IndexLocation.END);
            }
            Optional<long[]> shard = Optional.of(from.storedChunkShape());
            Optional<ShardingLayout> sharding = chain.arrayToBytes().sharding();
            if (sharding.isPresent() && chain.codecs().size() == 1) {
                IndexEncoding index = sharding.get().index();
                return new Layout(
                        shard,
                        sharding.get().innerShape(),
                        json(sharding.get().codecs()),
                        Optional.of(index.codecs().toArray(Json[]::new)),
                        index.location());
            }
            // inner chunks are read through the codecs around the shards; only the inner chunks' codecs are kept
            return new Layout(shard, from.chunkShape(), json(innermost(chain)), Optional.empty(), IndexLocation.END);
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
