package dev.shardkit.maintenance.concat;

import dev.shardkit.presence.ChunkLevel;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.session.publication.WorkKind;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Content;

/** Names and accesses the auxiliary objects that a concatenation stores beside the arrays. Stateless. */
final class ConcatAuxiliaries {
    /** The name that the document of a source has while the source is moved. */
    static final String RENAMED_DOCUMENT = WorkKind.MOVED_DOCUMENT;

    /** The name of an object that is moved to test whether the store supports moves. */
    static final String PROBE = "__concatenation-probe";

    private ConcatAuxiliaries() {}

    /** Returns whether an object exists under {@code key}. */
    static boolean has(Session session, String key) {
        return session.engine()
                .call(() -> ChunkLevel.size(Source.stored(key)), session.reading(key))
                .isPresent();
    }

    static void put(Session session, String key, byte[] content) {
        session.store(key, store -> {
            store.put(
                    key,
                    Content.of(Bytes.of(content)),
                    session.options().writing().durability());
            return NoResult.INSTANCE;
        });
    }

    /** Returns the error of a concatenation that has changed nothing. */
    static ZarrException failure(StoredNode target, String why) {
        return target.located(new StoreException("nothing was concatenated: " + why));
    }
}
