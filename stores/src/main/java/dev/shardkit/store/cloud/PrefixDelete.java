package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.OwnNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Deletes all objects below a prefix, one page of a listing at a time. Its static methods wait for requests.
 *
 * @param where the store, for messages
 * @param pages lists objects
 * @param deletes deletes the objects with these names
 */
public record PrefixDelete(String where, ListingRequests pages, Function<List<String>, CompletableFuture<?>> deletes) {
    /** Deletes all objects whose names begin with {@code prefix}. */
    public void delete(String prefix) {
        String next = null;
        do {
            ListingPage page = await(pages.requestPage(prefix, true, next), "deleting objects in " + where);
            List<String> names =
                    page.objects().stream().map(ListingPage.Named::name).toList();
            if (!names.isEmpty()) {
                awaitChange(deletes.apply(names), "deleting objects in " + where);
            }
            next = page.next();
        } while (next != null);
    }

    /**
     * Finds the objects below {@code prefix} that shardkit has created under names reserved for itself.
     *
     * @param names receives each name, without {@code prefix}
     */
    void reserved(String prefix, Consumer<String> names) {
        String next = null;
        do {
            ListingPage page = await(pages.requestPage(prefix, true, next), "listing objects in " + where);
            for (ListingPage.Named object : page.objects()) {
                String name = object.name().substring(prefix.length());
                if (OwnNames.isBelowOwn(name)) {
                    names.accept(name);
                }
            }
            next = page.next();
        } while (next != null);
    }

    /**
     * Waits for a request that changes nothing. An interrupt cancels it.
     *
     * @param operation the operation, for messages
     */
    public static <T> T await(CompletableFuture<T> request, String operation) {
        return awaitEnd(request, operation, () -> request.cancel(true));
    }

    /**
     * Waits for a change. An interrupt does not end the wait: the server may still act on running requests, and a call
     * must not change anything after it has ended. The deadlines of the requests limit the wait.
     *
     * @param operation the operation, for messages
     */
    public static <T> T awaitChange(CompletableFuture<T> request, String operation) {
        return awaitEnd(request, operation, () -> {});
    }

    /**
     * Waits until a request has ended, and then fails if the thread was interrupted.
     *
     * @param operation the operation, for messages
     * @param stop is called at an interrupt; makes the request end soon
     */
    public static <T> T awaitEnd(CompletableFuture<T> request, String operation, Runnable stop) {
        InterruptedException interrupted = null;
        while (true) {
            try {
                T value = request.get();
                if (interrupted != null) {
                    throw interrupted(operation, interrupted);
                }
                return value;
            } catch (InterruptedException e) {
                interrupted = e;
                stop.run();
            } catch (ExecutionException | CancellationException e) {
                if (interrupted != null) {
                    throw interrupted(operation, interrupted);
                }
                Throwable cause = CancellableFutures.cause(
                        Optional.ofNullable(e.getCause()).orElse(e));
                if (cause instanceof ZarrException ours) {
                    throw ours;
                }
                throw new StoreException(operation + " failed: " + cause, cause);
            }
        }
    }

    private static StoreException interrupted(String operation, InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return new StoreException("interrupted while " + operation, interrupted);
    }
}
