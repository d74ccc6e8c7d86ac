package dev.shardkit.maintenance.concat;

import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Moves;
import dev.shardkit.store.Store;
import dev.shardkit.store.TreeDeletions;
import java.util.List;
import java.util.Optional;

/**
 * Moves the objects of all sources of a concatenation into the new array, instead of copying them. Checks first that
 * moving is allowed and supported. Renames the sources' documents, so that readers do not see arrays with missing
 * chunks. Deletes the rest of the sources at the end. Immutable.
 *
 * @param sources the source arrays
 * @param target the new array
 */
record ConcatSourceMove(List<ConcatSource> sources, StoredNode target) {
    /** Throws if a source must not or cannot be moved. Called before the first move. */
    void check() {
        target.session().store().need(Moves.class, "concatenating arrays by moving their objects (copy them instead)");
        sources.forEach(source -> source.node()
                .session()
                .store()
                .need(TreeDeletions.class, "removing an array whose objects were moved"));
        sources.forEach(this::checkSource);
        testMoves();
    }

    private void checkSource(ConcatSource source) {
        if (!source.has(source.node().documentKey())) {
            throw failure(source.location() + " is being moved by another concatenation: its document was renamed to "
                    + ConcatAuxiliaries.RENAMED_DOCUMENT);
        }
        Optional<String> foreign = source.findForeignObject();
        if (foreign.isPresent()) {
            throw new UnsupportedException(
                    "array " + source.location() + " would be deleted after the move, but it holds " + foreign.get()
                            + ", which is not a chunk of it");
        }
    }

    /**
     * Tests moves with one probe object for each source. Creates all probes before it moves the first one. If two
     * sources are the same array under two names, they share one probe, so the second move fails.
     */
    private void testMoves() {
        target.store(store -> store.delete(target.key(ConcatAuxiliaries.PROBE)));
        try {
            sources.forEach(source -> ConcatAuxiliaries.put(
                    source.node().session(), source.key(ConcatAuxiliaries.PROBE), new byte[] {0}));
            for (ConcatSource source : sources) {
                if (!move(source, source.key(ConcatAuxiliaries.PROBE), target.key(ConcatAuxiliaries.PROBE))) {
                    throw failure(source.location() + " is the same array as another source");
                }
                target.store(store -> store.delete(target.key(ConcatAuxiliaries.PROBE)));
            }
        } finally {
            sources.forEach(source -> source.node().store(store -> store.delete(source.key(ConcatAuxiliaries.PROBE))));
        }
    }

    /** Renames the documents that still have their original names. */
    void renameDocuments() {
        for (ConcatSource source : sources) {
            if (source.has(source.node().documentKey())) {
                move(
                        source,
                        source.node().session(),
                        source.node().documentKey(),
                        source.key(ConcatAuxiliaries.RENAMED_DOCUMENT));
            }
        }
    }

    /** Checks that the renamed documents still exist. Otherwise another program has moved or removed a source. */
    void checkRenamedDocuments() {
        for (ConcatSource source : sources) {
            if (!source.has(source.key(ConcatAuxiliaries.RENAMED_DOCUMENT))) {
                throw failure(source.location() + " was moved or removed during the run: "
                        + ConcatAuxiliaries.RENAMED_DOCUMENT + " is not found");
            }
        }
    }

    /** Moves an object into the target. Returns whether the object existed. */
    boolean move(ConcatSource source, String from, String to) {
        return move(source, target.session(), from, to);
    }

    private static boolean move(ConcatSource source, Session into, String from, String to) {
        Store store = source.node().session().store();
        return into.store(
                to,
                targetStore -> targetStore.takeOver(
                        store, from, to, into.options().writing().durability()));
    }

    /** Deletes the sources after all their objects have moved. */
    void removeSources() {
        for (ConcatSource source : sources) {
            if (source.has(source.node().documentKey())) {
                throw failure("another program created a new array at " + source.location() + "; it is not deleted");
            }
            source.node().delete();
        }
    }

    private ZarrException failure(String why) {
        return ConcatAuxiliaries.failure(target, why);
    }
}
