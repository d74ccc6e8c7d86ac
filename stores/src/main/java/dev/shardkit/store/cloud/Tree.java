package dev.shardkit.store.cloud;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.store.OwnNames;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Deletes all objects below a prefix, a page of a listing at a time.
 *
 * @param where the store, for messages
 * @param pages lists objects
 * @param deletes deletes the objects with these names
 */
public record Tree(String where, Pages pages, Function<List<String>, CompletableFuture<?>> deletes) {
    /** Deletes all objects whose names begin with {@code before}. */
    public void delete(String before) {
        String next = null;
        do {
            Page page = await(pages.ask(before, true, next));
            List<String> names = page.objects().stream().map(Page.Named::name).toList();
            if (!names.isEmpty()) {
                await(deletes.apply(names));
            }
            next = page.next();
        } while (next != null);
    }

    /**
     * Visits the objects whose names begin with {@code before} and contain a reserved name, by the rest of the name.
     */
    void reserved(String before, Consumer<String> names) {
        String next = null;
        do {
            Page page = await(pages.ask(before, true, next), "listing objects in " + where);
            for (Page.Named object : page.objects()) {
                String name = object.name().substring(before.length());
                if (OwnNames.isBelowOwn(name)) {
                    names.accept(name);
                }
            }
            next = page.next();
        } while (next != null);
    }

    private <T> T await(CompletableFuture<T> request) {
        return await(request, "deleting objects in " + where);
    }

    /**
     * Waits for a request. An interrupt cancels it.
     *
     * @param doing the operation, for messages
     */
    public static <T> T await(CompletableFuture<T> request, String doing) {
        try {
            return request.get();
        } catch (InterruptedException e) {
            request.cancel(true);
            Thread.currentThread().interrupt();
            throw new StoreException("interrupted while " + doing, e);
        } catch (ExecutionException e) {
            Throwable cause = Linked.cause(Optional.ofNullable(e.getCause()).orElse(e));
            if (cause instanceof ZarrException ours) {
                throw ours;
            }
            throw new StoreException(doing + " failed: " + cause, cause);
        }
    }
}
