package dev.shardkit.store.zip;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.MergePolicy;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.ObjectPart;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.objects.LocalFetches;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads the entries of an archive in a remote store. Calls do not block. Thread-safe. */
final class RemoteZip implements RemoteReads {
    /** If the requested bytes begin at most this far after the local header, one request reads both. */
    private static final long NEAR_HEADER = 64 << 10;

    private final RemoteReads store;
    private final String archive;
    private final EntryNames names;
    private final ZipLimits limits;
    private final RemoteDirectory directories;

    RemoteZip(RemoteReads store, String archive, String described, EntryNames names, ZipLimits limits) {
        this.store = store;
        this.archive = archive;
        this.names = names;
        this.limits = limits;
        this.directories = new RemoteDirectory(store, archive, described, limits);
    }

    /** Returns the directory of the archive, whose version was confirmed at most {@link #freshFor} ago. */
    CompletableFuture<ArchiveDirectory> directory() {
        return directories.confirmed();
    }

    /** Returns the archive, for the comparison of checksums. */
    CompletableFuture<EntryChecksums.Opened> opened() {
        return directory()
                .thenApply(directory -> new EntryChecksums.Opened(
                        directory,
                        range -> store.fetch(archive, range, directory.version(), StoreListener.NONE)
                                .thenApply(found -> directories.checked(found, directory)),
                        () -> {}));
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        Call call = new Call(request.listener(), request.budget());
        Optional<Long> generation = EntryNames.archiveGeneration(request.key());
        if (generation.isPresent()) {
            call.finish(readArchive(generation.get(), request.range(), request.pin(), call));
            return call;
        }
        // An illegal key is a mistake of the caller, so it throws at once instead of failing the future.
        String name = names.entryName(request.key());
        call.finish(readEntry(name, request.range(), request.pin(), call, 1));
        return call;
    }

    /** Reads a range of the archive itself, in the version of its directory. */
    private CompletableFuture<FetchResult> readArchive(
            long generation, ByteRange range, Optional<String> pin, Call call) {
        RemoteDirectory.Loaded loaded = directories.current();
        Optional<ArchiveDirectory> directory = loaded.directoryIfRead();
        if (generation != loaded.generation()
                || directory.isEmpty()
                || pin.isPresent() && !pin.equals(directory.get().version())) {
            return CompletableFuture.failedFuture(directories.changed());
        }
        return call.cancelledWith(store.fetch(
                        FetchRequest.of(archive, range, directory.get().version(), call.listener)
                                .withBudget(call.budget)))
                .thenApply(found -> (FetchResult) directories.checked(found, directory.get()))
                .whenComplete((found, thrown) -> directories.forget(loaded, thrown));
    }

    /** Reads an entry by the current directory. Retries if the archive has changed and no version is pinned. */
    private CompletableFuture<FetchResult> readEntry(
            String name, ByteRange range, Optional<String> pin, Call call, int attempt) {
        RemoteDirectory.Loaded loaded = directories.load(call.listener);
        return loaded.directory()
                .thenCompose(directory -> directory.find(name).isPresent()
                        ? readEntry(directory, name, range, pin, call)
                        : directories.confirm(loaded, call.listener).thenApply(unchanged -> new FetchResult.Absent()))
                .handle((found, thrown) -> {
                    directories.forget(loaded, thrown);
                    boolean isRetried = RemoteDirectory.unwrap(thrown) instanceof ObjectChangedException
                            && pin.isEmpty()
                            && attempt < RemoteDirectory.ATTEMPTS
                            && !call.isDone();
                    if (isRetried) {
                        return readEntry(name, range, pin, call, attempt + 1);
                    }
                    return thrown == null
                            ? CompletableFuture.completedFuture(found)
                            : CompletableFuture.<FetchResult>failedFuture(RemoteDirectory.unwrap(thrown));
                })
                .thenCompose(result -> result);
    }

    /** Reads an entry of {@code directory}, which must contain it. */
    private CompletableFuture<FetchResult> readEntry(
            ArchiveDirectory directory, String name, ByteRange range, Optional<String> pin, Call call) {
        ArchiveEntry member = directory.find(name).orElseThrow();
        if (pin.isPresent() && !pin.equals(directory.version(member))) {
            throw directories.changed();
        }
        member.checkReadable();
        ByteRange.Slice slice = LocalFetches.slice(range, member.size());
        if (!member.isStored()) {
            return readDeflated(directory, member, slice, call);
        }
        if (slice.length() == 0) {
            return CompletableFuture.completedFuture(resultOf(directory, member, Bytes.EMPTY, 0, null));
        }
        OptionalLong start = directory.starts().knownStart(member);
        return start.isPresent()
                ? range(directory, start.getAsLong() + slice.offset(), slice.length(), call)
                        .thenApply(f -> resultOf(directory, member, f.bytes(), f.received(), null))
                : readWithHeader(directory, member, slice, call);
    }

    /**
     * Reads a range of an entry and its local header, which determines where the entry's bytes begin. If the range is
     * near the header, one request reads both; otherwise two concurrent ones do. The range is first requested at its
     * assumed offset, and again if the header shows another one.
     */
    private CompletableFuture<FetchResult> readWithHeader(
            ArchiveDirectory directory, ArchiveEntry member, ByteRange.Slice slice, Call call) {
        long assumedOffset = member.assumedStart() + slice.offset();
        boolean inOneRequest = assumedOffset - member.header() <= NEAR_HEADER && !member.hasDataDescriptor();
        long length =
                inOneRequest ? assumedOffset + slice.length() - member.header() : EntryOffsets.headerBytes(member);
        CompletableFuture<FetchResult.Found> headerRead = range(directory, member.header(), length, call);
        CompletableFuture<FetchResult.Found> dataRead = inOneRequest || member.hasDataDescriptor()
                ? headerRead
                : range(directory, assumedOffset, slice.length(), call);
        return headerRead
                .thenCombine(dataRead, (header, data) -> {
                    long start = learn(directory, member, header.bytes());
                    if (start != member.assumedStart() || member.hasDataDescriptor()) {
                        return range(directory, start + slice.offset(), slice.length(), call)
                                .thenApply(f -> resultOf(
                                        directory,
                                        member,
                                        f.bytes(),
                                        header.received()
                                                + f.received()
                                                + (dataRead == headerRead ? 0 : data.received()),
                                        null));
                    }
                    Bytes bytes = data.bytes().slice(data.bytes().size() - slice.length(), slice.length());
                    long receivedBytes = header.received() + (dataRead == headerRead ? 0 : data.received());
                    return CompletableFuture.completedFuture(resultOf(directory, member, bytes, receivedBytes, null));
                })
                .thenCompose(result -> result);
    }

    private static long learn(ArchiveDirectory directory, ArchiveEntry member, Bytes header) {
        byte[] bytes = header.slice(0, EntryOffsets.headerBytes(member)).toArray();
        return directory.starts().learn(member, ByteBuffer.wrap(bytes));
    }

    /** Reads a deflated entry whole, with its header. */
    private CompletableFuture<FetchResult> readDeflated(
            ArchiveDirectory directory, ArchiveEntry member, ByteRange.Slice slice, Call call) {
        EntryInflater.check(member, limits);
        // The extra field of the header has at most 65,535 bytes.
        long maxLength = ArchiveEntry.HEADER + member.nameLength() + 0xffffL + member.packed();
        long length = Math.min(member.limit() - member.header(), maxLength);
        return range(directory, member.header(), length, call).thenApply(found -> {
            long start = learn(directory, member, found.bytes()) - member.header();
            Bytes packed = found.bytes().slice(start, member.packed());
            Bytes unpackedBytes = EntryInflater.inflate(member, ByteBuffer.wrap(packed.toArray()));
            Bytes keptWhole = call.budget.reserve(unpackedBytes.size()) ? unpackedBytes : null;
            return resultOf(
                    directory,
                    member,
                    unpackedBytes.slice(slice.offset(), slice.length()),
                    found.received(),
                    keptWhole);
        });
    }

    /**
     * Returns the result of a read. Compares the bytes with the checksum if they are a whole stored entry.
     *
     * @param whole all unpacked bytes of a deflated entry, for further reads of the caller; null to discard them
     */
    private static FetchResult resultOf(
            ArchiveDirectory directory, ArchiveEntry member, Bytes bytes, long receivedBytes, @Nullable Bytes whole) {
        if (member.isStored() && bytes.size() == member.size()) {
            EntryInflater.checkSum(member, bytes.pieces());
        }
        return new FetchResult.Found(
                bytes, member.size(), directory.version(member), receivedBytes, Optional.ofNullable(whole));
    }

    private CompletableFuture<FetchResult.Found> range(
            ArchiveDirectory directory, long offset, long length, Call call) {
        ByteRange range = new ByteRange.Slice(offset, length);
        return call.cancelledWith(store.fetch(archive, range, directory.version(), call.listener))
                .thenApply(found -> directories.checked(found, directory));
    }

    /** Empty for documents: they are read as whole entries, so that their checksums are compared. */
    @Override
    public Optional<List<ObjectPart>> parts(String key) {
        return NodeDocuments.isDocument(key) ? Optional.empty() : placeOf(key);
    }

    /** Returns where the bytes of an entry are in the archive, if it is known. */
    Optional<List<ObjectPart>> placeOf(String key) {
        return EntryNames.archiveGeneration(key).isPresent()
                ? Optional.empty()
                : directories.current().directoryIfRead().flatMap(d -> LocalZip.partsOf(d, names.entryName(key)));
    }

    @Override
    public MergePolicy mergePolicy() {
        return store.mergePolicy();
    }

    @Override
    public int maxRequests() {
        return store.maxRequests();
    }

    @Override
    public Duration freshFor() {
        return store.freshFor();
    }

    /** One read. Cancelling it cancels its requests. */
    private static final class Call extends CompletableFuture<FetchResult> {
        private final StoreListener listener;
        private final WholeBodyBudget budget;

        Call(StoreListener listener, WholeBodyBudget budget) {
            this.listener = listener;
            this.budget = budget;
        }

        /** Returns {@code request}, and cancels it when this read is cancelled. */
        <T> CompletableFuture<T> cancelledWith(CompletableFuture<T> request) {
            whenComplete((found, thrown) -> {
                if (isCancelled()) {
                    request.cancel(true);
                }
            });
            return request;
        }

        /** Completes this read when {@code answer} completes. */
        void finish(CompletableFuture<FetchResult> answer) {
            answer.whenComplete((found, thrown) -> {
                if (thrown == null) {
                    complete(found);
                } else {
                    completeExceptionally(RemoteDirectory.unwrap(thrown));
                }
            });
        }
    }
}
