package dev.shardkit.store.zip;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FarReads;
import dev.shardkit.store.Fetched;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.Room;
import dev.shardkit.store.StoreListener;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads an archive of a far store. The directory is read once, and again when the archive has changed. No call waits.
 * Thread-safe.
 */
final class FarZip implements FarReads {
    /** How many changes of the archive a read that pins no version survives. */
    private static final int ATTEMPTS = 3;
    /** If the wanted bytes begin so near to the local header, one request reads both. */
    private static final long NEAR_HEADER = 64 << 10;

    private final FarReads store;
    private final String archive;
    private final String described;
    private final EntryNames names;
    private final ZipLimits limits;
    private final AtomicLong generations = new AtomicLong();
    private final AtomicReference<Loaded> loaded =
            new AtomicReference<>(new Loaded(0, CompletableFuture.completedFuture(Directory.none(0))));

    /** A directory that is read or being read. */
    private record Loaded(long generation, CompletableFuture<Directory> directory, AtomicLong confirmed) {
        Loaded(long generation, CompletableFuture<Directory> directory) {
            this(generation, directory, new AtomicLong(System.nanoTime()));
        }

        /** Whether the caller has to confirm that the archive is still the same; true for one caller at a time. */
        boolean isDue(Duration freshFor) {
            long last = confirmed.get();
            long now = System.nanoTime();
            return now - last >= freshFor.toNanos() && confirmed.compareAndSet(last, now);
        }
    }

    FarZip(FarReads store, String archive, String described, EntryNames names, ZipLimits limits) {
        this.store = store;
        this.archive = archive;
        this.described = described;
        this.names = names;
        this.limits = limits;
    }

    @Override
    public CompletableFuture<Fetched> fetch(String key, ByteRange range, Optional<String> pin, StoreListener listener) {
        return fetch(key, range, pin, listener, Room.NONE);
    }

    @Override
    public CompletableFuture<Fetched> fetch(
            String key, ByteRange range, Optional<String> pin, StoreListener listener, Room room) {
        Call call = new Call(listener, room);
        Optional<Long> generation = EntryNames.generation(key);
        if (generation.isPresent()) {
            call.finish(whole(generation.get(), range, pin, call));
            return call;
        }
        String name = names.full(key); // an illegal key is the caller's mistake, not a failed read
        call.finish(entry(name, range, pin, call, 1));
        return call;
    }

    /** A range of the archive itself, as it was when the directory was read. */
    private CompletableFuture<Fetched> whole(long generation, ByteRange range, Optional<String> pin, Call call) {
        Loaded now = loaded.get();
        Optional<Directory> directory = done(now);
        if (generation != now.generation()
                || directory.isEmpty()
                || pin.isPresent() && !pin.equals(directory.get().version())) {
            return CompletableFuture.failedFuture(changed());
        }
        return call.under(store.fetch(archive, range, directory.get().version(), call.listener, call.room))
                .thenApply(found -> (Fetched) present(found, directory.get()))
                .whenComplete((found, thrown) -> forget(now, thrown));
    }

    private CompletableFuture<Fetched> entry(
            String name, ByteRange range, Optional<String> pin, Call call, int attempt) {
        Loaded now = load(call.listener);
        return now.directory()
                .thenCompose(directory -> directory.find(name).isPresent()
                        ? entry(directory, name, range, pin, call)
                        : confirm(now, call.listener).thenApply(same -> new Fetched.Absent()))
                .handle((found, thrown) -> {
                    forget(now, thrown);
                    boolean again = cause(thrown) instanceof ObjectChangedException
                            && pin.isEmpty()
                            && attempt < ATTEMPTS
                            && !call.isDone();
                    if (again) {
                        return entry(name, range, pin, call, attempt + 1);
                    }
                    return thrown == null
                            ? CompletableFuture.completedFuture(found)
                            : CompletableFuture.<Fetched>failedFuture(cause(thrown));
                })
                .thenCompose(answer -> answer);
    }

    private CompletableFuture<Fetched> entry(
            Directory directory, String name, ByteRange range, Optional<String> pin, Call call) {
        Member member = directory.find(name).orElseThrow();
        if (pin.isPresent() && !pin.equals(directory.version(member))) {
            throw changed();
        }
        member.checkReadable();
        ByteRange.Slice slice = ArchiveObject.cut(range, member.size());
        if (!member.isStored()) {
            return unpacked(directory, member, slice, call);
        }
        if (slice.length() == 0) {
            return CompletableFuture.completedFuture(answer(directory, member, Bytes.EMPTY, 0, Optional.empty()));
        }
        OptionalLong start = directory.starts().known(member);
        return start.isPresent()
                ? range(directory, start.getAsLong() + slice.offset(), slice.length(), call)
                        .thenApply(f -> answer(directory, member, f.bytes(), f.came(), Optional.empty()))
                : withHeader(directory, member, slice, call);
    }

    /** Reads the local header too, which says where the bytes begin: in one request, or in two side by side. */
    private CompletableFuture<Fetched> withHeader(
            Directory directory, Member member, ByteRange.Slice slice, Call call) {
        long assumed = member.assumedStart() + slice.offset();
        boolean together = assumed - member.header() <= NEAR_HEADER && !member.isDescribedBehind();
        long length = together ? assumed + slice.length() - member.header() : Starts.headerBytes(member);
        CompletableFuture<Fetched.Found> first = range(directory, member.header(), length, call);
        CompletableFuture<Fetched.Found> second =
                together || member.isDescribedBehind() ? first : range(directory, assumed, slice.length(), call);
        return first.thenCombine(second, (header, data) -> {
                    long start = learn(directory, member, header.bytes());
                    if (start != member.assumedStart() || member.isDescribedBehind()) {
                        return range(directory, start + slice.offset(), slice.length(), call)
                                .thenApply(f -> answer(
                                        directory,
                                        member,
                                        f.bytes(),
                                        header.came() + f.came() + (second == first ? 0 : data.came()),
                                        Optional.empty()));
                    }
                    Bytes bytes = data.bytes().slice(data.bytes().size() - slice.length(), slice.length());
                    long came = header.came() + (second == first ? 0 : data.came());
                    return CompletableFuture.completedFuture(answer(directory, member, bytes, came, Optional.empty()));
                })
                .thenCompose(answer -> answer);
    }

    private static long learn(Directory directory, Member member, Bytes header) {
        byte[] bytes = header.slice(0, Starts.headerBytes(member)).toArray();
        return directory.starts().learn(member, ByteBuffer.wrap(bytes));
    }

    /** Reads a deflated entry whole, with its header. */
    private CompletableFuture<Fetched> unpacked(Directory directory, Member member, ByteRange.Slice slice, Call call) {
        Unpacked.check(member, limits);
        long most = Member.HEADER + member.nameLength() + 0xffffL + member.packed();
        long length = Math.min(member.limit() - member.header(), most);
        return range(directory, member.header(), length, call).thenApply(found -> {
            long start = learn(directory, member, found.bytes()) - member.header();
            Bytes packed = found.bytes().slice(start, member.packed());
            Bytes all = Unpacked.of(member, ByteBuffer.wrap(packed.toArray()));
            Optional<Bytes> whole = call.room.holds(all.size()) ? Optional.of(all) : Optional.empty();
            return answer(directory, member, all.slice(slice.offset(), slice.length()), found.came(), whole);
        });
    }

    private static Fetched answer(Directory directory, Member member, Bytes bytes, long came, Optional<Bytes> whole) {
        return new Fetched.Found(bytes, member.size(), directory.version(member), came, whole);
    }

    private CompletableFuture<Fetched.Found> range(Directory directory, long offset, long length, Call call) {
        ByteRange range = new ByteRange.Slice(offset, length);
        return call.under(store.fetch(archive, range, directory.version(), call.listener))
                .thenApply(found -> present(found, directory));
    }

    private Fetched.Found present(Fetched fetched, Directory directory) {
        if (fetched instanceof Fetched.Found found && found.version().equals(directory.version())) {
            return found;
        }
        throw changed();
    }

    private ObjectChangedException changed() {
        return new ObjectChangedException("the archive " + described + " has changed since its directory was read");
    }

    /** The directory of the archive, as old as {@link #freshFor} at most. */
    CompletableFuture<Directory> directory() {
        return directory(1);
    }

    private CompletableFuture<Directory> directory(int attempt) {
        Loaded now = load(StoreListener.NONE);
        return now.directory()
                .thenCompose(directory -> confirm(now, StoreListener.NONE))
                .handle((same, thrown) -> {
                    forget(now, thrown);
                    boolean again = cause(thrown) instanceof ObjectChangedException && attempt < ATTEMPTS;
                    return again ? directory(attempt + 1) : now.directory();
                })
                .thenCompose(directory -> directory);
    }

    /** Fails if the archive has changed, of which nothing but a request tells after a while. */
    private CompletableFuture<Boolean> confirm(Loaded now, StoreListener listener) {
        Directory directory = now.directory().join();
        if (directory.version().isEmpty() || !now.isDue(freshFor())) {
            return CompletableFuture.completedFuture(true);
        }
        return store.fetch(archive, new ByteRange.Suffix(1), directory.version(), listener)
                .thenApply(found -> {
                    present(found, directory);
                    return true;
                });
    }

    private Loaded load(StoreListener listener) {
        Loaded now = loaded.get();
        if (now.generation() > 0) {
            return now;
        }
        return replace(now, listener);
    }

    private Loaded replace(Loaded old, StoreListener listener) {
        Loaded mine = new Loaded(generations.incrementAndGet(), new CompletableFuture<>());
        if (!loaded.compareAndSet(old, mine)) {
            return load(listener);
        }
        ArchiveObject object = (range, pin) -> store.fetch(archive, range, pin, listener);
        Directory.load(object, limits, mine.generation()).whenComplete((read, thrown) -> {
            if (thrown != null) {
                mine.directory().completeExceptionally(cause(thrown));
            } else if (read.isEmpty()) {
                mine.directory().completeExceptionally(new StoreException("there is no archive " + described));
            } else {
                mine.directory().complete(read.get());
            }
        });
        return mine;
    }

    /** A directory that could not be read, or that is old, is read again by the next call. */
    private void forget(Loaded used, @Nullable Throwable thrown) {
        if (used.directory().isCompletedExceptionally() || cause(thrown) instanceof ObjectChangedException) {
            loaded.compareAndSet(used, new Loaded(0, CompletableFuture.completedFuture(Directory.none(0))));
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    private static Optional<Directory> done(Loaded now) {
        return now.directory().isDone() && !now.directory().isCompletedExceptionally()
                ? Optional.of(now.directory().join())
                : Optional.empty();
    }

    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return EntryNames.generation(key).isPresent()
                ? Optional.empty()
                : done(loaded.get()).flatMap(d -> NearZip.part(d, names.full(key)));
    }

    @Override
    public MergePolicy mergePolicy() {
        return store.mergePolicy();
    }

    @Override
    public int mostRequests() {
        return store.mostRequests();
    }

    @Override
    public Duration freshFor() {
        return store.freshFor();
    }

    /** One read, made of requests that its cancellation ends. */
    private static final class Call extends CompletableFuture<Fetched> {
        private final StoreListener listener;
        private final Room room;

        Call(StoreListener listener, Room room) {
            this.listener = listener;
            this.room = room;
        }

        <T> CompletableFuture<T> under(CompletableFuture<T> request) {
            whenComplete((found, thrown) -> {
                if (isCancelled()) {
                    request.cancel(true);
                }
            });
            return request;
        }

        void finish(CompletableFuture<Fetched> answer) {
            answer.whenComplete((found, thrown) -> {
                if (thrown == null) {
                    complete(found);
                } else {
                    completeExceptionally(cause(thrown));
                }
            });
        }
    }
}
