package dev.shardkit.maintenance.publish;

import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrNode;
import dev.shardkit.maintenance.chunks.ArrayInternals;
import dev.shardkit.session.InternalAccess;
import dev.shardkit.session.Session;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.Commits;
import dev.shardkit.store.Store;
import dev.shardkit.store.SystemErrorText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs work as a transaction if the store supports {@link Commits}, as archives do: publishes all changes when the work
 * ends, and discards them when it fails, so that the archive is unchanged. If the store already has unpublished changes
 * before the work, the caller must publish or discard all changes. In other stores, each object is published when it is
 * stored. Stateless.
 */
public final class AllOrNothing {
    private AllOrNothing() {}

    /**
     * Work that changes a store.
     *
     * @param <T> the result
     * @param <E> the checked exceptions
     */
    @FunctionalInterface
    public interface Work<T, E extends Exception> {
        /** Does the work. */
        T run() throws E;
    }

    /**
     * Work that changes a store and reports what it has changed.
     *
     * @param <R> a report
     * @param <T> the result
     * @param <E> the checked exceptions
     */
    @FunctionalInterface
    public interface ReportingWork<R, T, E extends Exception> {
        /** Does the work. */
        T run(Consumer<R> reports) throws E;
    }

    /**
     * Runs work that changes {@code store}.
     *
     * @throws StoreException if the changes cannot be published; they are discarded
     */
    public static <T, E extends Exception> T run(Store store, Work<T, E> work) throws E {
        Optional<Commits> found = store.find(Commits.class).filter(commits -> !commits.hasChanges());
        if (found.isEmpty()) {
            return work.run();
        }
        try {
            T result = work.run();
            publish(store);
            return result;
        } catch (Throwable e) { // changes are discarded after errors too, such as OutOfMemoryError
            discard(found.get(), e);
            throw e;
        }
    }

    /**
     * Runs work that changes {@code node} or nodes below it; see {@link #run(Store, Work)}.
     *
     * @throws StoreException if the changes cannot be published; they are discarded
     */
    public static <T, E extends Exception> T run(ZarrNode node, Work<T, E> work) throws E {
        return run(store(node), work);
    }

    /**
     * Runs work that changes {@code node} or nodes below it and reports its changes. In a store that supports
     * {@link Commits}, {@code reports} receives the reports after the changes are published, and none if they are
     * discarded.
     *
     * @throws StoreException if the changes cannot be published; they are discarded
     */
    public static <R, T, E extends Exception> T run(
            ZarrNode node, Consumer<? super R> reports, ReportingWork<R, T, E> work) throws E {
        return run(store(node), reports, work);
    }

    /** Runs work that changes {@code store}; see {@link #run(ZarrNode, Consumer, ReportingWork)}. */
    public static <R, T, E extends Exception> T run(
            Store store, Consumer<? super R> reports, ReportingWork<R, T, E> work) throws E {
        if (store.find(Commits.class).isEmpty()) {
            return work.run(reports::accept);
        }
        List<R> held = new ArrayList<>();
        T result = run(store, () -> work.run(held::add));
        held.forEach(reports);
        return result;
    }

    /** Publishes the changes of a store that supports {@link Commits}; no-op for other stores. */
    public static void publish(Store store) {
        try {
            Optional<Commits> commits = store.find(Commits.class);
            if (commits.isPresent()) {
                commits.get().commit();
            }
        } catch (IOException e) {
            throw new StoreException(
                    "publishing " + store.describe() + " failed; it is unchanged: " + SystemErrorText.of(e), e);
        }
    }

    /** Discards the changes. A failure to do so is added to the original failure. */
    private static void discard(Commits commits, Throwable failure) {
        try {
            commits.discard();
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** Returns the store of a node. */
    public static Store store(ZarrNode node) {
        return session(node).store();
    }

    /** Returns the session of a node. */
    public static Session session(ZarrNode node) {
        return node instanceof ZarrArray array
                ? ArrayInternals.of(array).node().session()
                : InternalAccess.inside(node, StoredNode.class).session();
    }
}
