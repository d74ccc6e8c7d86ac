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
 * The unsharded chunks of a scale: a file for each, named by the voxels that it holds (volume.md, "Unsharded chunk
 * storage"). cloud-volume stores some compressed, with {@code .gz} after the name; these are read, not changed. The
 * chunk keys above are those of {@code v2} with slashes. An immutable value.
 *
 * @param grid the chunks
 * @param maxBytes the largest size of an encoded chunk in bytes
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
        return new Files(this, below);
    }

    private String file(String key) {
        return grid.cell(key)
                .map(cell -> StoreKeys.join(cell.path(), grid.fileName(cell.at())))
                .orElse(key);
    }

    private record Files(ChunkFiles files, Keyspace below) implements Keyspace {
        @Override
        public Plan<Source> open(String key) {
            String file = files.file(key);
            return file.equals(key)
                    ? below.open(key)
                    : below.open(file).then(plain -> below.open(file + GZIP)
                            .map(gzip -> new PlainOrGzip(plain, gzip, files.maxBytes)));
        }

        @Override
        public Plan<Edit> edit(String key, Function<Source, Plan<Edit>> change) {
            String file = files.file(key);
            return file.equals(key)
                    ? below.edit(key, change)
                    : below.open(file + GZIP)
                            .then(gzip -> gzip.read(new ByteRange.Suffix(1), (answer, scratch) -> answer))
                            .then(answer -> {
                                if (answer instanceof ReadResult.Found) {
                                    throw new UnsupportedException("this chunk is stored as " + StoreKeys.name(file)
                                            + GZIP + ", which shardkit does not change; copy the volume first");
                                }
                                return below.edit(file, change);
                            });
        }

        @Override
        public String storedKey(String key) {
            return below.storedKey(files.file(key));
        }
    }
}
