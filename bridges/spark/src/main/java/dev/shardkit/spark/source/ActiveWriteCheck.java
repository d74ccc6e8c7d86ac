package dev.shardkit.spark.source;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.maintenance.publish.Publication;
import dev.shardkit.maintenance.relayout.Replacement;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.store.Store;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.UUID;

/**
 * Checks whether a write is still running, by the state of its target. A task makes this check before each shard. So an
 * attempt that outlives its job, finished or failed, completes at most the shard that it is writing.
 */
sealed interface ActiveWriteCheck extends Serializable {
    /** Whether the write is still running. */
    boolean holds(Store store, OutputArray output);

    /** Returns a mark for an append, which no other append has. */
    static byte[] uniqueMark() {
        StateDigest digest = new StateDigest();
        digest.add("rows of Spark " + UUID.randomUUID());
        return digest.text().getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The check of a write to a new target, which has the record of an unfinished copy until its metadata is written.
     *
     * @param mark the unique text that this write put in the record in place of a source
     */
    record Unfinished(String mark) implements ActiveWriteCheck {
        private static final long serialVersionUID = 1L;

        /** Returns a mark that no other write has. */
        static Unfinished unique() {
            return new Unfinished("rows of Spark " + UUID.randomUUID());
        }

        @Override
        public boolean holds(Store store, OutputArray output) {
            return Publication.at(store, "").held(WorkKind.COPY, mark).isPresent();
        }
    }

    /**
     * The check of an append. Its target has the mark of this append, and the arrays keep their old shape until all
     * shards are stored.
     *
     * @param mark the content of the mark
     * @param shape the old shape
     */
    record Appending(byte[] mark, long[] shape) implements ActiveWriteCheck {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean holds(Store store, OutputArray output) {
            return AppendMark.isThere(store, mark)
                    && Arrays.equals(
                            shape,
                            Zarr.openArray(store, output.path(), ZarrOptions.defaults())
                                    .shape());
        }
    }

    /**
     * The check of an overwrite of existing arrays. Until the commit, readers ignore the keys of their new shards.
     *
     * @param replacement the id of the replacement
     */
    record Replacing(String replacement) implements ActiveWriteCheck {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean holds(Store store, OutputArray output) {
            return Replacement.isRunning(store, replacement);
        }
    }
}
