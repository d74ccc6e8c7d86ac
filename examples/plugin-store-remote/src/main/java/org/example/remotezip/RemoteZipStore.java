package org.example.remotezip;

import dev.shardkit.spi.error.CorruptDataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.Store;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.StoreListener;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * An example of a remote store as a plug-in: the entries of a ZIP archive on another remote store are its objects.
 * Read-only, opened by {@code remotezip:https://host/archive.zip}. The store reads the archive's directory once. Each
 * read of an entry then takes two range requests: one for the entry's header, which says where its bytes begin, and one
 * for the bytes. Entries must be stored without compression ({@code zip -0}); the chunks of arrays are compressed
 * already.
 *
 * <p>No call blocks: each step is a future that continues when the response to the previous step has arrived.
 */
public final class RemoteZipStore implements StoreFactory {
    /** For {@link java.util.ServiceLoader}. */
    public RemoteZipStore() {}

    @Override
    public String name() {
        return "remotezip";
    }

    @Override
    public Store open(URI uri) {
        throw new IllegalArgumentException("remotezip needs the other stores of the registry: " + uri);
    }

    @Override
    public Store open(URI uri, Function<URI, Store> others) {
        String inner = uri.getSchemeSpecificPart();
        int slash = inner.lastIndexOf('/');
        if (!"remotezip".equals(uri.getScheme()) || slash < 0 || slash == inner.length() - 1) {
            throw new IllegalArgumentException("expected remotezip:https://host/archive.zip, found " + uri);
        }
        Store folder = others.apply(URI.create(uri.getRawSchemeSpecificPart()).resolve("."));
        if (folder.reads() instanceof RemoteReads remote) {
            return new Archive(folder, remote, inner.substring(slash + 1));
        }
        folder.close();
        throw new IllegalArgumentException("not a remote store: " + folder.describe());
    }

    /** The store. It also implements the asynchronous reads. */
    private static final class Archive implements Store, RemoteReads {
        private final Store folder;
        private final RemoteReads remote;
        private final String archive;
        /** The directory or its read under way; empty before the first call and after a failure. */
        private final AtomicReference<Optional<CompletableFuture<Directory>>> directory =
                new AtomicReference<>(Optional.empty());

        Archive(Store folder, RemoteReads remote, String archive) {
            this.folder = folder;
            this.remote = remote;
            this.archive = archive;
        }

        @Override
        public String describe() {
            return "archive " + archive + " in " + folder.describe();
        }

        @Override
        public Reads reads() {
            return this;
        }

        @Override
        public CompletableFuture<FetchResult> fetch(FetchRequest request) {
            checked(request.key());
            Exchange exchange = new Exchange();
            CompletableFuture<Directory> read = directory(request.listener());
            read.thenCompose(content -> {
                        // The engine pins a version, so that all requests of a call read the same archive.
                        if (request.pin().isPresent() && !request.pin().equals(content.version())) {
                            throw new ObjectChangedException("the archive is another one now: " + describe());
                        }
                        Directory.Entry entry = content.entries().get(request.key());
                        return entry == null
                                ? CompletableFuture.completedFuture(new FetchResult.Absent())
                                : entry(request.key(), entry, request.range(), content, request.listener(), exchange);
                    })
                    .whenComplete((found, thrown) -> {
                        Throwable failure = thrown instanceof CompletionException e ? e.getCause() : thrown;
                        if (failure == null) {
                            exchange.complete(found);
                            return;
                        }
                        // After a failed read of the directory, or a change of the archive, the next call reads it
                        // again.
                        if (read.isCompletedExceptionally() || failure instanceof ObjectChangedException) {
                            directory.updateAndGet(now -> now.filter(kept -> kept != read));
                        }
                        exchange.completeExceptionally(failure);
                    });
            return exchange;
        }

        /**
         * Reads a range of an entry with two requests. The entry's header tells where its bytes begin; the second
         * request reads the range from there.
         */
        private CompletableFuture<FetchResult> entry(
                String key,
                Directory.Entry entry,
                ByteRange range,
                Directory directory,
                StoreListener listener,
                Exchange exchange) {
            if (entry.method() != 0) { // 0: stored without compression
                throw new UnsupportedException("entry " + key + " is compressed; make the archive by zip -0");
            }
            ByteRange.Slice slice = slice(key, range, entry.size());
            ByteRange header = new ByteRange.Slice(entry.header(), Directory.HEADER);
            return exchange.under(remote.fetch(archive, header, directory.version(), listener))
                    .thenCompose(found -> {
                        long start = entry.header() + Directory.headerSize(key, present(found));
                        return exchange.under(remote.fetch(
                                archive,
                                new ByteRange.Slice(start + slice.offset(), slice.length()),
                                directory.version(),
                                listener));
                    })
                    .thenApply(
                            found -> new FetchResult.Found(present(found).bytes(), entry.size(), directory.version()));
        }

        /** Returns the range as an offset and a length within an entry, and refuses a range beyond its end. */
        private static ByteRange.Slice slice(String key, ByteRange range, long size) {
            if (range instanceof ByteRange.Slice s) {
                if (s.end() > size) {
                    throw new CorruptDataException("entry " + key + " has " + size + " bytes, asked for " + s);
                }
                return s;
            } else if (range instanceof ByteRange.Suffix s) {
                long length = Math.min(s.length(), size);
                return new ByteRange.Slice(size - length, length);
            }
            ByteRange.Whole whole = (ByteRange.Whole) range;
            if (whole.refuses(size)) {
                throw new CorruptDataException(
                        "entry " + key + " has " + size + " bytes, expected at most " + whole.maxBytes());
            }
            return new ByteRange.Slice(0, whole.skips(size) ? 0 : size);
        }

        /** Returns the directory, which the first call reads. */
        private CompletableFuture<Directory> directory(StoreListener listener) {
            CompletableFuture<Directory> created = new CompletableFuture<>();
            CompletableFuture<Directory> kept = directory
                    .updateAndGet(now -> now.isPresent() ? now : Optional.of(created))
                    .orElseThrow();
            if (kept == created) {
                Directory.read(remote, archive, listener).whenComplete((read, thrown) -> {
                    if (thrown == null) {
                        created.complete(read);
                    } else {
                        created.completeExceptionally(thrown instanceof CompletionException e ? e.getCause() : thrown);
                    }
                });
            }
            return kept;
        }

        /** Returns the bytes of a response. Throws if the archive does not exist any more. */
        private FetchResult.Found present(FetchResult fetched) {
            if (fetched instanceof FetchResult.Found found) {
                return found;
            }
            throw new ObjectChangedException("the archive is gone: " + describe());
        }

        @Override
        public void close() {
            folder.close();
        }
    }

    /** Refuses a malformed key: one that is not text, or with names that are empty or consist of dots. */
    private static void checked(String key) {
        boolean isText = StandardCharsets.UTF_8.newEncoder().canEncode(key) && key.indexOf(0) < 0;
        for (String name : List.of(key.split("/", -1))) {
            if (!isText || name.matches("\\.*")) {
                throw new IllegalArgumentException("not a key: " + key);
            }
        }
    }

    /** The future of a read. Cancelling it cancels the request that is under way. */
    private static final class Exchange extends CompletableFuture<FetchResult> {
        /** Registers a request that the cancellation of this future must cancel, and returns it. */
        CompletableFuture<FetchResult> under(CompletableFuture<FetchResult> request) {
            whenComplete((found, thrown) -> {
                if (isCancelled()) {
                    request.cancel(true);
                }
            });
            return request;
        }
    }
}
