package dev.shardkit.maintenance;

import dev.shardkit.ArraySpec;
import dev.shardkit.ArraySpec.IndexLocation;
import dev.shardkit.Codecs;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;
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
    private static final String SHARDING = "sharding_indexed";

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
        ArraySpec spec = ArraySpec.of(dataType(from.dataType()), from.shape())
                .fillValue(from.dataType().formatFill(from.fillValue()))
                .chunkKeyEncoding(MetadataWriter.extension(
                        metadata.chunkKeyEncoding().name(),
                        metadata.chunkKeyEncoding().configuration()))
                .attributes(metadata.attributes());
        if (metadata.dimensionNames().isPresent()) {
            spec = spec.dimensionNames(metadata.dimensionNames().get());
        }
        Layout old = Layout.of(from, metadata);
        if (keepsGrid(from)) {
            return onGrid(spec, from, old);
        }
        Optional<long[]> shard = shardShape.or(old::shardShape);
        if (shard.isEmpty()) {
            checkIndexLocation(from);
        }
        spec = spec.chunkShape(chunkShape.orElse(old.chunkShape)).codecs(codecs.orElse(old.codecs));
        if (shard.isPresent()) {
            spec = spec.shardShape(shard.get()).indexLocation(indexLocation.orElse(old.indexLocation));
            return old.indexCodecs.isPresent() ? spec.indexCodecs(old.indexCodecs.get()) : spec;
        }
        return spec;
    }

    private static Json dataType(DataType type) {
        return type.configuration().members().isEmpty()
                ? Json.of(type.name())
                : MetadataWriter.extension(type.name(), type.configuration());
    }

    /** Whether the copy keeps the source's grid, which a single shape cannot describe. */
    private boolean keepsGrid(ZarrArray from) {
        return !from.metadata().chunkGrid().name().equals("regular")
                && shardShape.isEmpty()
                && (chunkShape.isEmpty() || from.isSharded());
    }

    private ArraySpec onGrid(ArraySpec spec, ZarrArray from, Layout old) {
        ChunkGrid grid = from.metadata().chunkGrid();
        ArraySpec copy = spec.chunkGrid(MetadataWriter.extension(grid.name(), grid.configuration()))
                .codecs(codecs.orElse(old.codecs));
        if (!from.isSharded()) {
            checkIndexLocation(from);
            return copy;
        }
        copy = copy.chunkShape(chunkShape.orElse(old.chunkShape))
                .indexLocation(indexLocation.orElse(old.indexLocation));
        return old.indexCodecs.isPresent() ? copy.indexCodecs(old.indexCodecs.get()) : copy;
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
            List<Codec> chain = metadata.codecs().codecs();
            if (!from.isSharded()) {
                return new Layout(
                        Optional.empty(), from.storedChunkShape(), json(chain), Optional.empty(), IndexLocation.END);
            }
            Optional<long[]> shard = Optional.of(from.storedChunkShape());
            if (chain.size() == 1 && chain.get(0).name().equals(SHARDING)) {
                Json.Obj sharding = chain.get(0).configuration();
                return new Layout(
                        shard,
                        lengths(sharding),
                        list(sharding, "codecs"),
                        Optional.of(list(sharding, "index_codecs")),
                        location(sharding));
            }
            // inner chunks are read through the codecs around the shards; only the inner chunks' codecs are kept
            return new Layout(shard, from.chunkShape(), innermost(chain), Optional.empty(), IndexLocation.END);
        }

        private static Json[] json(List<Codec> chain) {
            return chain.stream()
                    .map(c -> Codecs.named(c.name(), c.configuration()))
                    .toArray(Json[]::new);
        }

        /** Returns the codecs of the innermost inner chunks. */
        private static Json[] innermost(List<Codec> chain) {
            Json[] codecs = json(chain);
            for (int i = 0; i < codecs.length; i++) {
                Json.Obj codec = (Json.Obj) codecs[i];
                if (codec.get("name").equals(Optional.of(Json.of(SHARDING)))) {
                    codecs = list((Json.Obj) codec.get("configuration").orElseThrow(), "codecs");
                    i = -1;
                }
            }
            return codecs;
        }

        private static Json[] list(Json.Obj configuration, String member) {
            return ((Json.Arr) configuration.get(member).orElseThrow()).items().toArray(Json[]::new);
        }

        private static long[] lengths(Json.Obj sharding) {
            return ((Json.Arr) sharding.get("chunk_shape").orElseThrow())
                    .items().stream()
                            .mapToLong(n -> Long.parseLong(((Json.Num) n).lexeme()))
                            .toArray();
        }

        private static IndexLocation location(Json.Obj sharding) {
            String word = ((Json.Str) sharding.get("index_location").orElseThrow()).value();
            return IndexLocation.valueOf(word.toUpperCase(Locale.ROOT));
        }
    }
}
