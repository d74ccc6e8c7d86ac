package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.DenseChunk;
import dev.shardkit.spi.array.Feed;
import dev.shardkit.spi.array.Shapes;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import dev.shardkit.spi.plan.Unit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A codec chain bound to a chunk type: array-to-array stages, one array-to-bytes codec, then filters (bytes-to-bytes
 * codecs).
 */
final class BoundChain implements ChunkCodec {
    private final ChunkType type;
    private final List<Stage> stages;
    private final ChunkCodec middle;
    private final Filters filters;
    private final Limits limits;
    private final @Nullable Spanned spanned;

    BoundChain(ChunkType type, List<Stage> stages, ChunkCodec middle, List<BytesToBytesCodec> filters, Limits limits) {
        this.type = type;
        this.stages = List.copyOf(stages);
        this.middle = middle;
        this.filters = new Filters(type, filters, middle, limits);
        this.limits = limits;
        if (middle.partitioned().isEmpty() || !onlyViews()) {
            // chunks before a stage may be larger than those behind it
            limits.checkChunk(type);
        }
        this.spanned = !filters.isEmpty() && this.filters.sizeOfChunk().isExact() && onlyViews()
                ? middle.spanned().orElse(null)
                : null;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        DecodedSize last = filters.size();
        return last.isExact() ? OptionalLong.of(last.most()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong reservedSize() {
        return filters.reserved(middle.reservedSize());
    }

    @Override
    public long maxEncodedSize() {
        return filters.size().most();
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, WritePolicy policy, Scratch scratch) {
        return encoded(0, chunk, filters.isEmpty() ? policy : compact(policy), scratch)
                .map(b -> filters.encode(b, scratch));
    }

    private Optional<Bytes> encoded(int i, Feed feed, WritePolicy policy, Scratch scratch) {
        if (i == stages.size()) {
            return middle.encode(feed, policy, scratch);
        }
        Stage stage = stages.get(i);
        if (stage.view().isPresent()) {
            return encoded(i + 1, stage.view().get().encode(feed), policy, scratch);
        }
        DenseChunk whole = dense(i, feed);
        if (policy.emptyChunks() == WritePolicy.EmptyChunks.DROP && whole.isFill()) {
            return Optional.empty();
        }
        Feed after = stage.encode(whole).feed();
        Optional<Bytes> bytes = encoded(i + 1, after, policy, scratch);
        // Other elements may be encoded as the fill value, and a missing chunk would not bring them back.
        return bytes.isPresent()
                ? bytes
                : encoded(i + 1, after, policy.withEmptyChunks(WritePolicy.EmptyChunks.KEEP), scratch);
    }

    private DenseChunk dense(int i, Feed feed) {
        DenseChunk whole = DenseChunk.filled(decodedType(i));
        ChunkType t = decodedType(i);
        feed.get(t.box(), whole.elements(), 0, Shapes.strides(t.shape()));
        return whole;
    }

    private ChunkType decodedType(int i) {
        return i == 0 ? type : stages.get(i - 1).encoded();
    }

    @Override
    public void decode(Bytes encoded, Box part, Target out, Scratch scratch) {
        Spanned parts = part.equals(type.box()) || part.isEmpty() ? null : spanned;
        Bytes inner = parts == null ? filters.decode(encoded, scratch) : filters.decodeToFirst(encoded, scratch);
        through(0, part, out, (p, o) -> {
            if (parts != null) {
                parts.decodeSpan(filters.decodePart(inner, parts.span(p), scratch), p, o, scratch);
            } else {
                middle.decode(inner, p, o, scratch);
            }
            return Plan.done();
        });
    }

    @Override
    public Plan<Unit> decodeInto(Source in, Box part, Target out) {
        boolean byParts = middle.partitioned().isPresent() || filters.isEmpty();
        if (!byParts || !onlyViews()) {
            return ChunkCodec.super.decodeInto(in, part, out);
        }
        return open(in).then(source -> through(0, part, out, (p, o) -> middle.decodeInto(source, p, o)));
    }

    /**
     * Returns whether all stages map boxes to boxes. If not, a stage needs the whole chunk, and one worker at a time
     * holds it.
     */
    private boolean onlyViews() {
        for (Stage s : stages) {
            if (s.view().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** The source that the filters decode to. */
    Plan<Source> open(Source in) {
        return filters.open(in);
    }

    /** The action on the part and the target after all stages. */
    private interface Inside {
        Plan<Unit> run(Box part, Target out);
    }

    private Plan<Unit> through(int i, Box part, Target out, Inside inside) {
        if (i == stages.size()) {
            return inside.run(part, out);
        }
        Stage stage = stages.get(i);
        if (stage.view().isPresent()) {
            Stage.View view = stage.view().get();
            return through(i + 1, view.encode(part), view.encode(out), inside);
        }
        DenseChunk whole = DenseChunk.filled(stage.encoded());
        return through(i + 1, stage.encoded().box(), whole.target(), inside).map(done -> {
            long[] shape = decodedType(i).shape();
            out.put(stage.decode(whole).elements(), part.firstIn(shape), Shapes.strides(shape), Box.of(part.shape()));
            return done;
        });
    }

    @Override
    public Plan<Edit> update(Source old, Box part, Feed with, WritePolicy policy) {
        boolean byParts = middle.partitioned().isPresent()
                || (filters.isEmpty() && policy.strategy() == WritePolicy.Strategy.IN_PLACE);
        if (!byParts || !onlyViews()) {
            return ChunkCodec.super.update(old, part, with, policy);
        }
        Box p = part;
        Feed f = with;
        for (Stage s : stages) {
            f = s.view().orElseThrow().encode(f);
            p = s.view().orElseThrow().encode(p);
        }
        Box innerPart = p;
        Feed innerFeed = f;
        Coverage given = with.coverage(Box.of(part.shape()));
        boolean holes = given == Coverage.SOME || given == Coverage.NONE;
        if (holes && innerFeed.coverage(Box.of(innerPart.shape())) != given) {
            return ChunkCodec.super.update(old, part, with, policy); // a view that ignores holes
        }
        if (filters.isEmpty()) {
            return middle.update(old, innerPart, innerFeed, policy);
        }
        WritePolicy rewrite = compact(policy);
        Plan<Source> before = part.equals(type.box()) && !holes ? Plan.done(Source.absent(old.place())) : open(old);
        return before.then(source ->
                middle.update(source, innerPart, innerFeed, rewrite).then(edit -> refilter(source, edit, policy)));
    }

    /** Filters encode the whole shard each time, so spare room in it is useless. */
    static WritePolicy compact(WritePolicy policy) {
        return policy.withStrategy(WritePolicy.Strategy.REWRITE)
                .withSlack(WritePolicy.Slack.NONE)
                .withAllocation(WritePolicy.Allocation.AS_NEEDED);
    }

    /** Turns an edit of the decoded shard into a new encoding of the whole shard. */
    Plan<Edit> refilter(Source decoded, Edit edit, WritePolicy policy) {
        if (!(edit instanceof Edit.Replace r)) {
            return Plan.done(edit);
        }
        List<Piece> pieces = r.pieces();
        return Plan.<Bytes>all(pieces.size(), i -> bytes(decoded, pieces.get((int) i)))
                .then(parts -> Plan.defer(
                        decoded.place(),
                        scratch -> Plan.done(new Edit.Replace(
                                List.of(new Piece.Literal(
                                        filters.encode(Bytes.concat(new ArrayList<>(parts)), scratch))),
                                decoded.isAbsent() || policy.strategy() == WritePolicy.Strategy.REWRITE
                                        ? Optional.empty()
                                        : Optional.of("the shard lies behind codec "
                                                + filters.first().name())))));
    }

    private static Plan<Bytes> bytes(Source decoded, Piece piece) {
        if (piece instanceof Piece.Moved m) {
            return decoded.read(
                    new ByteRange.Slice(m.offset(), m.size()),
                    (answer, scratch) ->
                            answer instanceof ReadResult.Found f ? f.bytes().copy() : Bytes.EMPTY);
        }
        return Plan.done(piece instanceof Piece.Literal l ? l.bytes() : Bytes.zeros(piece.size()));
    }

    @Override
    public long[] readShape() {
        Box box = Box.of(middle.readShape());
        for (int i = stages.size() - 1; i >= 0; i--) {
            Optional<Stage.View> view = stages.get(i).view();
            if (view.isEmpty()) {
                return type.shape();
            }
            box = view.get().decode(box);
        }
        return box.shape();
    }

    /** Returns whether a shard between stages and filters is read and written as a whole. */
    boolean isFiltered() {
        return !filters.isEmpty();
    }

    @Override
    public Optional<Partitioned> partitioned() {
        return middle.partitioned()
                .map(p -> filters.isEmpty() && stages.isEmpty() ? p : new EnclosedShard(p, this, stages));
    }
}
