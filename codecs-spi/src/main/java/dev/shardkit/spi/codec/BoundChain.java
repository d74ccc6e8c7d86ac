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
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.spi.plan.Plan;
import dev.shardkit.spi.plan.ReadResult;
import dev.shardkit.spi.plan.Scratch;
import dev.shardkit.spi.plan.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A codec chain bound to a chunk type: array-to-array codecs, here called stages, then one array-to-bytes codec, then
 * bytes-to-bytes codecs, here called filters. Encoding runs from the first stage to the last filter. A stage that only
 * rearranges elements, such as a transpose, has a view: it maps each box before the stage to a box after it, so parts
 * of chunks are read and changed without the rest.
 */
final class BoundChain implements ChunkCodec {
    private final ChunkType type;
    private final List<BoundArrayToArrayCodec> stages;
    private final ChunkCodec arrayToBytes;
    private final BytesToBytesChain filters;
    private final Limits limits;
    /**
     * Tells which bytes of the first filter's input a part of the chunk needs, so that the filter decodes only these;
     * null if the chain cannot decode parts this way.
     */
    private final @Nullable FixedLayout spanned;

    BoundChain(
            ChunkType type,
            List<BoundArrayToArrayCodec> stages,
            ChunkCodec arrayToBytes,
            List<BytesToBytesCodec> filters,
            Limits limits) {
        this.type = type;
        this.stages = List.copyOf(stages);
        this.arrayToBytes = arrayToBytes;
        this.filters = new BytesToBytesChain(type, filters, arrayToBytes, limits);
        this.limits = limits;
        if (arrayToBytes.shardAccess().isEmpty() || !onlyViews()) {
            // The array-to-bytes codec checks only the chunk after the stages; the chunk before them may be larger.
            limits.checkChunk(type);
        }
        this.spanned = !filters.isEmpty() && this.filters.sizeOfChunk().isExact() && onlyViews()
                ? arrayToBytes.fixedLayout().orElse(null)
                : null;
    }

    @Override
    public ChunkType type() {
        return type;
    }

    @Override
    public OptionalLong encodedSize() {
        DecodedSize size = filters.size();
        return size.isExact() ? OptionalLong.of(size.maxBytes()) : OptionalLong.empty();
    }

    @Override
    public OptionalLong reservedSize() {
        return filters.reserved(arrayToBytes.reservedSize());
    }

    @Override
    public long maxEncodedSize() {
        return filters.size().maxBytes();
    }

    @Override
    public Optional<Bytes> encode(Feed chunk, ShardWritePolicy policy, Scratch scratch) {
        return encoded(0, chunk, filters.isEmpty() ? policy : compact(policy), scratch)
                .map(b -> filters.encode(b, scratch));
    }

    /** Encodes from stage {@code i} on; if {@code i} is the number of stages, by the array-to-bytes codec. */
    private Optional<Bytes> encoded(int i, Feed feed, ShardWritePolicy policy, Scratch scratch) {
        if (i == stages.size()) {
            return arrayToBytes.encode(feed, policy, scratch);
        }
        BoundArrayToArrayCodec stage = stages.get(i);
        if (stage.view().isPresent()) {
            return encoded(i + 1, stage.view().get().encode(feed), policy, scratch);
        }
        DenseChunk chunk = dense(i, feed);
        if (policy.emptyChunks() == ShardWritePolicy.EmptyChunks.DROP && chunk.isFill()) {
            return Optional.empty();
        }
        Feed after = stage.encode(chunk).feed();
        Optional<Bytes> bytes = encoded(i + 1, after, policy, scratch);
        // The chunk has elements other than the fill value, but the stage may have mapped all of them to the fill value
        // after the stage. If the chunk were dropped, it would be read as the fill value before the stage. So it is
        // encoded again, and kept.
        return bytes.isPresent()
                ? bytes
                : encoded(i + 1, after, policy.withEmptyChunks(ShardWritePolicy.EmptyChunks.KEEP), scratch);
    }

    /** Returns the input of stage {@code i} with all its elements. */
    private DenseChunk dense(int i, Feed feed) {
        DenseChunk chunk = DenseChunk.filled(decodedType(i));
        ChunkType t = decodedType(i);
        feed.get(t.box(), chunk.elements(), 0, Shapes.strides(t.shape()));
        return chunk;
    }

    /** Returns the type of the input of stage {@code i}. */
    private ChunkType decodedType(int i) {
        return i == 0 ? type : stages.get(i - 1).encoded();
    }

    @Override
    public void decode(Bytes encoded, Box part, Target target, Scratch scratch) {
        FixedLayout spans = part.equals(type.box()) || part.isEmpty() ? null : spanned;
        // The actions below read no store, so they have run when runInside returns, and its plan is not needed.
        Bytes inner = spans == null ? filters.decode(encoded, scratch) : filters.decodeToFirst(encoded, scratch);
        runInside(0, part, target, (innerPart, innerTarget) -> {
            if (spans != null) {
                Bytes span = filters.decodePart(inner, spans.span(innerPart), scratch);
                spans.decodeSpan(span, innerPart, innerTarget, scratch);
            } else {
                arrayToBytes.decode(inner, innerPart, innerTarget, scratch);
            }
            return Plan.done();
        });
    }

    @Override
    public Plan<NoResult> decodeInto(Source source, Box part, Target target) {
        boolean byParts = arrayToBytes.shardAccess().isPresent() || filters.isEmpty();
        if (!byParts || !onlyViews()) {
            return ChunkCodec.super.decodeInto(source, part, target);
        }
        return open(source)
                .then(opened -> runInside(
                        0,
                        part,
                        target,
                        (innerPart, innerTarget) -> arrayToBytes.decodeInto(opened, innerPart, innerTarget)));
    }

    /**
     * Returns whether all stages map boxes to boxes. If not, a stage needs the whole chunk, and one worker at a time
     * holds it.
     */
    private boolean onlyViews() {
        for (BoundArrayToArrayCodec s : stages) {
            if (s.view().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Returns the source of the bytes that the filters decode to. */
    Plan<Source> open(Source source) {
        return filters.open(source);
    }

    /** An action on a part and a target in the coordinates after all stages. */
    private interface Inside {
        Plan<NoResult> run(Box part, Target target);
    }

    /**
     * Runs an action behind the stages from {@code i} on. The stages convert the elements that the action puts into its
     * target, and pass them on to {@code target}.
     */
    private Plan<NoResult> runInside(int i, Box part, Target target, Inside inside) {
        if (i == stages.size()) {
            return inside.run(part, target);
        }
        BoundArrayToArrayCodec stage = stages.get(i);
        if (stage.view().isPresent()) {
            BoundArrayToArrayCodec.View view = stage.view().get();
            return runInside(i + 1, view.encode(part), view.encode(target), inside);
        }
        DenseChunk chunk = DenseChunk.filled(stage.encoded());
        return runInside(i + 1, stage.encoded().box(), chunk.target(), inside).map(done -> {
            long[] shape = decodedType(i).shape();
            target.put(
                    stage.decode(chunk).elements(), part.firstIn(shape), Shapes.strides(shape), Box.of(part.shape()));
            return done;
        });
    }

    @Override
    public Plan<Edit> update(Source old, Box part, Feed values, ShardWritePolicy policy) {
        boolean byParts = arrayToBytes.shardAccess().isPresent()
                || (filters.isEmpty() && policy.strategy() == ShardWritePolicy.Strategy.IN_PLACE);
        if (!byParts || !onlyViews()) {
            return ChunkCodec.super.update(old, part, values, policy);
        }
        Box boxInChunk = part;
        Feed feedInChunk = values;
        for (BoundArrayToArrayCodec s : stages) {
            feedInChunk = s.view().orElseThrow().encode(feedInChunk);
            boxInChunk = s.view().orElseThrow().encode(boxInChunk);
        }
        Box innerPart = boxInChunk;
        Feed innerFeed = feedInChunk;
        Coverage coverage = values.coverage(Box.of(part.shape()));
        boolean hasHoles = coverage == Coverage.SOME || coverage == Coverage.NONE;
        if (hasHoles && innerFeed.coverage(Box.of(innerPart.shape())) != coverage) {
            return ChunkCodec.super.update(old, part, values, policy); // the view of a stage does not forward holes
        }
        if (filters.isEmpty()) {
            return arrayToBytes.update(old, innerPart, innerFeed, policy);
        }
        ShardWritePolicy rewrite = compact(policy);
        Plan<Source> opened =
                part.equals(type.box()) && !hasHoles ? Plan.done(Source.absent(old.location())) : open(old);
        return opened.then(source -> arrayToBytes
                .update(source, innerPart, innerFeed, rewrite)
                .then(edit -> refilter(source, edit, policy)));
    }

    /** Returns the policy without spare room in the shard, which is useless: filters encode the whole shard anyway. */
    static ShardWritePolicy compact(ShardWritePolicy policy) {
        return policy.withStrategy(ShardWritePolicy.Strategy.REWRITE)
                .withSlack(ShardWritePolicy.Slack.NONE)
                .withAllocation(ShardWritePolicy.Allocation.AS_NEEDED);
    }

    /** Turns an edit of the decoded shard into a new encoding of the whole shard. */
    Plan<Edit> refilter(Source decoded, Edit edit, ShardWritePolicy policy) {
        if (!(edit instanceof Edit.Replace r)) {
            return Plan.done(edit);
        }
        List<Piece> pieces = r.pieces();
        return Plan.<Bytes>all(pieces.size(), i -> bytes(decoded, pieces.get((int) i)))
                .then(spans -> Plan.defer(
                        decoded.location(),
                        scratch -> Plan.done(new Edit.Replace(
                                List.of(new Piece.Literal(
                                        filters.encode(Bytes.concat(new ArrayList<>(spans)), scratch))),
                                decoded.isAbsent() || policy.strategy() == ShardWritePolicy.Strategy.REWRITE
                                        ? Optional.empty()
                                        : Optional.of("the shard lies behind codec "
                                                + filters.first().name())))));
    }

    /** Returns the bytes of a piece; those of a copied piece are read from the decoded shard. */
    private static Plan<Bytes> bytes(Source decoded, Piece piece) {
        if (piece instanceof Piece.Copied copied) {
            return decoded.read(
                    new ByteRange.Slice(copied.offset(), copied.size()),
                    (result, scratch) -> result instanceof ReadResult.Found found
                            ? found.bytes().copy()
                            : Bytes.EMPTY);
        }
        return Plan.done(piece instanceof Piece.Literal l ? l.bytes() : Bytes.zeros(piece.size()));
    }

    @Override
    public long[] readShape() {
        Box box = Box.of(arrayToBytes.readShape());
        for (int i = stages.size() - 1; i >= 0; i--) {
            Optional<BoundArrayToArrayCodec.View> view = stages.get(i).view();
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
    public Optional<ShardAccess> shardAccess() {
        return arrayToBytes
                .shardAccess()
                .map(shard -> filters.isEmpty() && stages.isEmpty() ? shard : new EnclosedShard(shard, this, stages));
    }
}
