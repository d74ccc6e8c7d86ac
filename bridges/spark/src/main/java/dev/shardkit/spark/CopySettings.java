package dev.shardkit.spark;

import dev.shardkit.ZarrNode;
import dev.shardkit.json.JsonReader;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spark.task.AbsoluteLocation;
import dev.shardkit.spi.codec.IndexLocation;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link CopyJob}, which executors receive too. A null setting is taken from the source. If
 * {@code tasks} is 0, the number of cores decides. If {@code maxMemory} is 0, the copy takes one pass with unlimited
 * memory. A job changes only its own copy of the settings.
 */
final class CopySettings implements Serializable {
    private static final long serialVersionUID = 1L;

    final String source;
    final String target;
    long @Nullable [] shardShape;
    boolean withoutShards;
    long @Nullable [] chunkShape;

    @Nullable
    String codecs;

    @Nullable
    IndexLocation indexLocation;

    boolean overwrite;
    int tasks;
    long maxMemory;

    CopySettings(String source, String target) {
        this.source = source;
        this.target = target;
    }

    CopySettings copy() {
        return copy(source, target);
    }

    /** Returns a copy with absolute locations, which are valid on executors too. */
    CopySettings absolute() {
        return copy(AbsoluteLocation.of(source), AbsoluteLocation.of(target));
    }

    private CopySettings copy(String from, String to) {
        CopySettings copy = new CopySettings(from, to);
        copy.shardShape = shardShape;
        copy.withoutShards = withoutShards;
        copy.chunkShape = chunkShape;
        copy.codecs = codecs;
        copy.indexLocation = indexLocation;
        copy.overwrite = overwrite;
        copy.tasks = tasks;
        copy.maxMemory = maxMemory;
        return copy;
    }

    /** Returns the copy of a node with these settings. */
    Copy of(ZarrNode from) {
        Copy copy = Copy.of(from);
        copy = withoutShards ? copy.withoutShards() : copy;
        copy = shardShape != null ? copy.withShardShape(shardShape) : copy;
        copy = chunkShape != null ? copy.withChunkShape(chunkShape) : copy;
        copy = indexLocation != null ? copy.withIndexLocation(indexLocation) : copy;
        if (codecs != null) {
            Json.Arr list = (Json.Arr) JsonReader.read(codecs, Limits.defaults());
            copy = copy.withCodecs(list.items().toArray(Json[]::new));
        }
        return overwrite ? copy.overwriting() : copy;
    }
}
