package dev.shardkit.store.reference;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.store.FetchRequest;
import dev.shardkit.store.FetchResult;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.Reads;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.StoreListener;
import dev.shardkit.store.WholeBodyBudget;
import dev.shardkit.store.cloud.CancellableFutures;
import dev.shardkit.store.objects.LocalFetches;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The store of a reference document whose targets are objects of any stores. Reads of local files run on the calling
 * thread, those of remote objects hold no thread. Read-only.
 */
final class RemoteReferences extends AbstractReferenceStore implements RemoteReads {
    /** How long a cached target is assumed to be unchanged. */
    private static final Duration FRESH = Duration.ofSeconds(5);

    RemoteReferences(References references, Targets targets, String described) {
        super(references, targets, described);
    }

    static StoreException missingTarget(String url) {
        return new StoreException("a reference to a missing object: there is no " + Template.shown(url));
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        try {
            Optional<Integer> number = references.targetNumber(request.key());
            Optional<Reference> reference = number.isPresent()
                    ? Optional.of(new Reference.Whole(number.get()))
                    : references.find(request.key());
            if (reference.isEmpty()) {
                return CompletableFuture.completedFuture(new FetchResult.Absent());
            } else if (reference.get() instanceof Reference.Whole whole) {
                CompletableFuture<FetchResult.Found> response =
                        target(whole.target(), request.range(), request.pin(), request.listener(), request.budget());
                return CancellableFutures.map(response, found -> found); // for the type of the result
            }
            return reference.get() instanceof Reference.Made made
                    ? synthesize(made, request.range(), request.pin(), request.listener())
                    : pieces((Reference.Pieces) reference.get(), request.range(), request.pin(), request.listener());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Reads a range of a target; fails if the target is missing or not in the expected version. */
    private CompletableFuture<FetchResult.Found> target(
            int number, ByteRange range, Optional<String> pin, StoreListener listener, WholeBodyBudget budget) {
        String url = references.targets().get(number);
        Targets.Target target = targets.at(url);
        Optional<String> version = target.version();
        CompletableFuture<FetchResult> response =
                TargetReads.fetch(target.store(), target.key(), range, pin, listener, budget);
        return CancellableFutures.map(response, result -> {
            if (!(result instanceof FetchResult.Found found)) {
                throw missingTarget(url);
            } else if (version.isPresent() && !version.equals(found.version())) {
                throw changed(url, version.get(), found.version().orElse("none"));
            }
            return found;
        });
    }

    /**
     * Computes a whole synthesized value and returns the requested range of it. The value has the expected version of
     * its target, or none.
     */
    private CompletableFuture<FetchResult> synthesize(
            Reference.Made made, ByteRange range, Optional<String> pin, StoreListener listener) {
        Optional<String> version =
                targets.at(references.targets().get(made.target())).version();
        AtomicLong receivedBytes = new AtomicLong();
        CompletableFuture<Bytes> bytes = follow(made.value().first(), slice -> {
            CompletableFuture<FetchResult.Found> response =
                    target(made.target(), slice, Optional.empty(), listener, WholeBodyBudget.NONE);
            return CancellableFutures.map(response, found -> {
                PiecesSnapshot.checkRange(slice.offset(), slice.length(), found.objectSize());
                receivedBytes.addAndGet(found.received());
                return found.bytes();
            });
        });
        return CancellableFutures.map(bytes, value -> {
            if (pin.isPresent() && !pin.equals(version)) {
                throw new ObjectChangedException("expected version " + pin.get() + ", found " + version.orElse("none"));
            }
            ByteRange.Slice requested = LocalFetches.slice(range, value.size());
            return new FetchResult.Found(
                    value.slice(requested.offset(), requested.length()),
                    value.size(),
                    version,
                    receivedBytes.get(),
                    Optional.empty());
        });
    }

    /**
     * Runs a computation step by step. Each step reads ranges of the target, and makes the next step from their bytes;
     * the last step has the value. {@code object} reads a range of the target.
     */
    private static CompletableFuture<Bytes> follow(
            SynthesizedValue.Step step, Function<ByteRange.Slice, CompletableFuture<Bytes>> object) {
        if (!(step instanceof SynthesizedValue.Read read)) {
            return CompletableFuture.completedFuture(((SynthesizedValue.Made) step).bytes());
        }
        List<CompletableFuture<Bytes>> responses =
                read.ranges().stream().map(object).toList();
        return CancellableFutures.compose(
                CancellableFutures.all(responses), ranges -> follow(read.then().apply(ranges), object));
    }

    /**
     * Reads a range of a value that consists of pieces. Pieces outside the range are read with a length of 0, because
     * the version of the value contains the versions of all pieces.
     */
    private CompletableFuture<FetchResult> pieces(
            Reference.Pieces reference, ByteRange range, Optional<String> pin, StoreListener listener) {
        ByteRange.Slice slice = LocalFetches.slice(range, reference.size());
        List<CompletableFuture<FetchResult.Found>> responses = new ArrayList<>();
        long start = 0;
        for (Reference.Piece piece : reference.pieces()) {
            long overlapStart = Math.max(slice.offset(), start);
            long end = Math.max(overlapStart, Math.min(slice.end(), start + piece.size()));
            long pieceOffset = Math.min(overlapStart - start, piece.size());
            responses.add(
                    piece(piece, pieceOffset, Math.min(end - overlapStart, piece.size() - pieceOffset), listener));
            start += piece.size();
        }
        return CancellableFutures.map(CancellableFutures.all(responses), parts -> joined(parts, reference.size(), pin));
    }

    private CompletableFuture<FetchResult.Found> piece(
            Reference.Piece piece, long offset, long length, StoreListener listener) {
        if (piece instanceof Reference.Inline inline) {
            return CompletableFuture.completedFuture(new FetchResult.Found(
                    inline.bytes().slice(offset, length),
                    inline.bytes().size(),
                    Optional.of(PiecesSnapshot.version(inline)),
                    0,
                    Optional.empty()));
        }
        Reference.Part part = (Reference.Part) piece;
        CompletableFuture<FetchResult.Found> response = target(
                part.target(),
                new ByteRange.Slice(part.offset() + offset, length),
                Optional.empty(),
                listener,
                WholeBodyBudget.NONE);
        return CancellableFutures.map(response, found -> {
            PiecesSnapshot.check(part, found.objectSize());
            return found;
        });
    }

    /** Returns the concatenation of pieces; fails if their joint version is not {@code pin}. */
    private static FetchResult joined(List<FetchResult.Found> parts, long size, Optional<String> pin) {
        StringBuilder text = new StringBuilder();
        List<Bytes> bytes = new ArrayList<>();
        boolean hasVersion = true;
        long receivedBytes = 0;
        for (FetchResult.Found found : parts) {
            bytes.add(found.bytes());
            receivedBytes += found.received();
            hasVersion &= found.version().isPresent();
            text.append(found.version().orElse("")).append('|');
        }
        Optional<String> version = hasVersion ? Optional.of(text.toString()) : Optional.empty();
        if (pin.isPresent() && !pin.equals(version)) {
            throw new ObjectChangedException("expected version " + pin.get() + ", found " + version.orElse("none"));
        }
        return new FetchResult.Found(
                bytes.size() == 1 ? bytes.get(0) : Bytes.concat(bytes), size, version, receivedBytes, Optional.empty());
    }

    @Override
    public Reads reads() {
        return this;
    }

    @Override
    public Duration freshFor() {
        return FRESH;
    }

    @Override
    public int maxRequests() {
        return Math.max(mergePolicy().parallel(), targets.maxRequests());
    }
}
