package dev.shardkit.engine.edit;

import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.Piece;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.store.Content;
import dev.shardkit.store.ObjectChangedException;
import dev.shardkit.store.channel.GatheredWrites;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Builds the content of an edit in a remote store that reuses byte ranges of the old object ({@link Piece.Copied}). The
 * ranges are either read into memory or copied by the store. Also checks whether a content has been stored.
 */
final class ReusedRanges {
    /** The maximum size of one read. */
    private static final long LARGEST = 16L << 20;

    /** Zeros that the parts of a longer run of zeros share. */
    private static final Bytes ZEROS = Bytes.of(new byte[1 << 16]);

    private ReusedRanges() {}

    /** Returns the same edit with the reused bytes read into memory, for stores that do not copy ranges. */
    static Plan<Edit> read(String key, Edit edit) {
        if (!(edit instanceof Edit.Replace replace)
                || replace.pieces().stream().noneMatch(piece -> piece instanceof Piece.Copied)) {
            return Plan.done(edit);
        }
        List<Piece> pieces = new ArrayList<>();
        for (Piece piece : replace.pieces()) {
            if (piece instanceof Piece.Copied copied) {
                for (long offset = 0; offset < copied.size(); offset += LARGEST) {
                    pieces.add(new Piece.Copied(copied.offset() + offset, Math.min(LARGEST, copied.size() - offset)));
                }
            } else {
                pieces.add(piece);
            }
        }
        return Plan.all(pieces.size(), i -> read(key, pieces.get((int) i)))
                .map(loaded -> new Edit.Replace(loaded, replace.fallbackReason()));
    }

    /** Returns a piece with its bytes in memory instead of a range of the object. */
    private static Plan<Piece> read(String key, Piece piece) {
        if (!(piece instanceof Piece.Copied copied)) {
            return Plan.done(piece);
        }
        return Source.stored(key).read(new ByteRange.Slice(copied.offset(), copied.size()), (result, scratch) -> {
            if (result instanceof ReadResult.Found f) {
                return new Piece.Literal(f.bytes().copy());
            }
            throw new ObjectChangedException("expected an object, found none");
        });
    }

    /**
     * Returns the content for a store: literal bytes, and ranges of the object under {@code key}.
     *
     * @param version the version of that object; null if it does not exist
     */
    static Content content(String key, Edit.Replace edit, @Nullable String version) {
        List<Content.Part> parts = new ArrayList<>();
        for (Piece piece : edit.pieces()) {
            if (piece instanceof Piece.Literal literal) {
                parts.add(new Content.Part.Literal(literal.bytes()));
            } else if (piece instanceof Piece.Copied copied) {
                if (version == null) {
                    throw new ObjectChangedException("expected an object, found none");
                }
                parts.add(new Content.Part.Stored(key, version, copied.offset(), copied.size()));
            } else {
                for (long remaining = piece.size(); remaining > 0; remaining -= ZEROS.size()) {
                    parts.add(new Content.Part.Literal(ZEROS.slice(0, Math.min(remaining, ZEROS.size()))));
                }
            }
        }
        return new OfParts(edit.size(), List.copyOf(parts));
    }

    /** A content of these parts. Ranges are not written to a channel: only the store can copy them. */
    private record OfParts(long size, List<Content.Part> literalsAndRanges) implements Content {
        @Override
        public void writeTo(WritableByteChannel out) throws IOException {
            for (Part part : literalsAndRanges) {
                if (!(part instanceof Part.Literal l)) {
                    throw new IllegalStateException("a store that copies ranges uses the parts");
                }
                GatheredWrites.write(l.bytes().pieces(), out);
            }
        }

        @Override
        public Optional<List<Part>> parts() {
            return Optional.of(literalsAndRanges);
        }
    }

    /** Returns whether there is no object. */
    static Plan<Boolean> isAbsent(String key) {
        return Source.stored(key)
                .read(new ByteRange.Suffix(1), (result, scratch) -> !(result instanceof ReadResult.Found));
    }

    /** Returns whether {@code content} seems to be stored: the object has its size and its literal bytes. */
    static Plan<Boolean> isStored(String key, Content content) {
        return Source.stored(key)
                .<Boolean>read(
                        new ByteRange.Suffix(1),
                        (result, scratch) -> result instanceof ReadResult.Found f && f.sourceSize() == content.size())
                .then(sameSize -> sameSize ? hasLiterals(key, content) : Plan.done(false));
    }

    /** Returns whether the object has the literal bytes of {@code content} in their places. */
    private static Plan<Boolean> hasLiterals(String key, Content content) {
        List<Plan<Boolean>> comparisons = new ArrayList<>();
        long offset = 0;
        for (Content.Part part : content.parts().orElseThrow()) {
            if (part instanceof Content.Part.Literal l && l.size() > 0) {
                comparisons.add(Source.stored(key)
                        .read(
                                new ByteRange.Slice(offset, l.size()),
                                (result, scratch) -> result instanceof ReadResult.Found f
                                        && f.bytes().contentEquals(l.bytes())));
            }
            offset += part.size();
        }
        return Plan.all(comparisons.size(), i -> comparisons.get((int) i)).map(equal -> !equal.contains(false));
    }
}
