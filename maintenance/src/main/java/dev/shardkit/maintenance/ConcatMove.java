package dev.shardkit.maintenance;

import dev.shardkit.session.Session;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.Moves;
import dev.shardkit.store.Store;
import java.util.List;
import java.util.Optional;

/**
 * What a concatenation does to sources whose objects it moves: finds out whether it may and can, puts their documents
 * aside, so that nobody takes them for arrays with holes, and removes what is left of them. Immutable.
 *
 * @param sources the arrays
 * @param target where the new array is made
 * @param path its path
 */
record ConcatMove(List<ConcatSource> sources, Session target, String path) {
    /** The document of a source that is being moved. */
    static final String ASIDE = "__concatenated-zarr.json";
    /** An object that is moved to find out whether objects can be. */
    static final String PROBE = "__concatenation-probe";

    private static final String DOCUMENT = ConcatRun.DOCUMENT;

    /** Refuses what must not or cannot be moved, before anything is. */
    void check() {
        sources.forEach(this::checkOwn);
        probe();
    }

    private void checkOwn(ConcatSource source) {
        if (!source.has(source.key(DOCUMENT))) {
            throw refused(
                    source.location() + " is being moved by another concatenation: its document is aside, as " + ASIDE);
        }
        Optional<String> foreign = source.foreign();
        if (foreign.isPresent()) {
            throw new UnsupportedException("array " + source.location() + " is removed when it is moved, and it holds "
                    + foreign.get() + ", which is no chunk of it");
        }
    }

    /**
     * Finds out whether objects of the sources can be moved, with one of each; all are there before the first goes, so
     * that a source that is there twice, under two names, has only one to give.
     */
    private void probe() {
        target.store(path, store -> store.delete(Session.key(path, PROBE)));
        try {
            sources.forEach(source -> ConcatRun.put(source.session(), source.key(PROBE), new byte[] {0}));
            for (ConcatSource source : sources) {
                if (!move(source, source.key(PROBE), Session.key(path, PROBE))) {
                    throw refused(source.location() + " is another of the arrays by another name");
                }
                target.store(path, store -> store.delete(Session.key(path, PROBE)));
            }
        } finally {
            sources.forEach(source -> source.session().store(source.path(), store -> store.delete(source.key(PROBE))));
        }
    }

    /** Puts the documents aside that are still in their places. */
    void putDocumentsAside() {
        for (ConcatSource source : sources) {
            if (source.has(source.key(DOCUMENT))) {
                move(source, source.session(), source.key(DOCUMENT), source.key(ASIDE));
            }
        }
    }

    /** Moves an object into the target; whether there was something to move. */
    boolean move(ConcatSource source, String from, String to) {
        return move(source, target, from, to);
    }

    private static boolean move(ConcatSource source, Session into, String from, String to) {
        Store store = source.session().store();
        if (!into.writable().can(Moves.class)) {
            throw new UnsupportedException(
                    "store " + into.store().describe() + " cannot take over objects of another: " + "copy them");
        }
        return into.store(
                to,
                own -> own.takeOver(store, from, to, into.options().writing().durability()));
    }

    /** Removes the sources, when all that was theirs is the target's. */
    void removeSources() {
        for (ConcatSource source : sources) {
            if (source.has(source.key(DOCUMENT))) {
                throw refused("somebody has made a new array of " + source.location() + ", which is not removed");
            }
            source.session().delete(source.path());
        }
    }

    private ZarrException refused(String why) {
        return ConcatRun.refused(target, path, why);
    }
}
