package dev.shardkit.neuroglancer;

import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Keyspace;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import java.util.function.Function;

/**
 * The storage transformer of a scale (one resolution of a neuroglancer volume) without shards. Each chunk is a file,
 * whose name contains the range of its voxels (volume.md, "Unsharded chunk storage"). The transformer maps chunk keys,
 * such as {@code 0/0/0/0}, to these names. cloud-volume may compress files with gzip and append {@code .gz} to their
 * names; such files are read but not changed. Immutable.
 *
 * @param grid the grid of chunks
 * @param maxBytes the maximum size of an encoded chunk in bytes
 */
record ChunkFiles(VolumeGrid grid, long maxBytes) implements StorageTransformer {
    static final String NAME = "neuroglancer.files";
    static final String MAX_BYTES = "most_bytes";
    private static final String GZIP = ".gz";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Json.Obj configuration() {
        return grid.configuration().with(MAX_BYTES, Json.of(maxBytes));
    }

    @Override
    public Keyspace over(Keyspace below) {
        return new FileKeyspace(this, below);
    }

    /** Returns the name of a chunk's file. Keys that are not those of chunks stay as they are. */
    private String fileName(String key) {
        return grid.parseKey(key)
                .map(cell -> StoreKeys.join(cell.path(), grid.fileName(cell.indexes())))
                .orElse(key);
    }

    /** The keys of chunks, above the keys of files. */
    private record FileKeyspace(ChunkFiles chunkFiles, Keyspace below) implements Keyspace {
        @Override
        public Plan<Source> open(String key) {
            String fileName = chunkFiles.fileName(key);
            return fileName.equals(key)
                    ? below.open(key)
                    : below.open(fileName).then(plainFile -> below.open(fileName + GZIP)
                            .map(gzipFile -> new GzipFallbackSource(plainFile, gzipFile, chunkFiles.maxBytes)));
        }

        @Override
        public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
            String fileName = chunkFiles.fileName(key);
            return fileName.equals(key)
                    ? below.edit(key, change)
                    : below.open(fileName + GZIP)
                            .then(gzipFile -> gzipFile.read(new ByteRange.Suffix(1), (response, scratch) -> response))
                            .then(response -> {
                                if (response instanceof ReadResult.Found) {
                                    throw new UnsupportedException("this chunk is stored as " + StoreKeys.name(fileName)
                                            + GZIP + ", which shardkit does not change; copy the volume first");
                                }
                                return below.edit(fileName, change);
                            });
        }

        @Override
        public String storedKey(String key) {
            return below.storedKey(chunkFiles.fileName(key));
        }
    }
}
