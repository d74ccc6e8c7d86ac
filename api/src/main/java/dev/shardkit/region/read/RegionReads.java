package dev.shardkit.region.read;

import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.run.PartedRead;
import dev.shardkit.engine.run.ReadContext;
import dev.shardkit.engine.threads.CallerExceptionGuards;
import dev.shardkit.javaarray.JavaArrayAdapters;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.StoredArray;
import dev.shardkit.region.StoredShapeCheck;
import dev.shardkit.region.WholeShardReads;
import dev.shardkit.selection.ReadDivision;
import dev.shardkit.session.StoredNode;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.RemoteReads;
import dev.shardkit.store.policy.MissingChunks;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Reads regions and selections of an array into Java arrays or targets. Immutable, thread-safe. */
public final class RegionReads {
    private final StoredNode node;
    private final DataType type;
    private final ChunkPlans chunks;
    private final StoredShapeCheck shape;

    public RegionReads(StoredArray array) {
        this.node = array.node();
        this.type = array.metadata().dataType();
        this.chunks = array.chunks();
        this.shape = array.shape();
    }

    /** Creates the result of a read from its region and the Java array with its elements. */
    public interface ResultFactory<T> {
        T of(Box region, Object array);
    }

    /** Reads a region into a new Java array. */
    public <T> T read(Box region, ResultFactory<T> factory) {
        Object array = JavaArrayAdapters.allocate(type, region.shape());
        read(region, target(region, array, 0));
        return factory.of(region, array);
    }

    /** Reads a region into a target. */
    public void read(Box region, Target target) {
        read(target, () -> parts(region, target, () -> NoResult.INSTANCE));
    }

    /** Reads a selection, divided into boxes, into a target. */
    public void read(ReadDivision division, Target result) {
        read(result, () -> parts(division, result, () -> NoResult.INSTANCE));
    }

    /** Runs a read. A caller's own code runs without a permit to decode, because it may hold locks and wait. */
    private void read(Target target, Supplier<PartedRead<NoResult>> parts) {
        if (CallerExceptionGuards.isCallers(target)) {
            engine().callParts(parts, reading());
        } else {
            engine().callParts(parts, reading().withDecodePermits());
        }
    }

    /** Starts a read of a region into a new Java array. */
    public <T> CompletableFuture<T> start(Box region, ResultFactory<T> factory) {
        Object array = JavaArrayAdapters.allocate(type, region.shape());
        return engine().startParts(
                        () -> parts(region, target(region, array, 0), () -> factory.of(region, array)), reading());
    }

    /** Starts a read of a region into a target. */
    public CompletableFuture<NoResult> start(Box region, Target target) {
        return engine().startParts(() -> parts(region, target, () -> NoResult.INSTANCE), reading());
    }

    /** Starts a read of a selection into a target. The future returns {@code value} when all elements are there. */
    public <T> CompletableFuture<T> start(ReadDivision division, Target result, Supplier<T> value) {
        return engine().startParts(() -> parts(division, result, value), reading());
    }

    /** Returns a read with one part for each box of a division. */
    private <T> PartedRead<T> parts(ReadDivision division, Target result, Supplier<T> value) {
        return new PartedRead<>(
                division.count(),
                i -> parts(division.box(i), division.target(i, result), wholeOfSeveral(), () -> NoResult.INSTANCE)
                        .plan(),
                value);
    }

    private Engine engine() {
        return node.session().engine();
    }

    private ReadContext reading() {
        return shape.reading();
    }

    /** Returns a target that fills a Java array from {@code offset} on with the elements of a region. */
    public Target target(Box region, Object array, int offset) {
        return JavaArrayAdapters.target(type, region.shape(), array, offset);
    }

    private <T> PartedRead<T> parts(Box region, Target target, Supplier<T> value) {
        return parts(region, target, wholeOfOne(), value);
    }

    private <T> PartedRead<T> parts(Box region, Target target, WholeShardReads wholeShards, Supplier<T> value) {
        boolean fills = node.session().options().reading().missing() == MissingChunks.FILL;
        return chunks.read(region, fills ? target : new MissingChunkCheck(target, region), wholeShards, value);
    }

    /** Returns whether a call that reads several regions reads shards whole. */
    private WholeShardReads wholeOfSeveral() {
        return WholeShardReads.of(node.session());
    }

    /** Returns whether a call that reads a single region reads shards whole. Only such a call streams them. */
    private WholeShardReads wholeOfOne() {
        WholeShardReads choice = WholeShardReads.of(node.session());
        boolean isStreamed = choice == WholeShardReads.IF_NEEDED_WHOLE
                && node.session().store().reads() instanceof RemoteReads remote
                && remote.reportsProgress();
        return isStreamed ? WholeShardReads.STREAMED : choice;
    }

    /** Reads several boxes, each into a new Java array. */
    public <T> List<T> read(List<Box> boxes, ResultFactory<T> factory) {
        return engine().callParts(() -> parts(boxes, factory), reading().withDecodePermits());
    }

    /** Starts a read of several boxes, each into a new Java array. */
    public <T> CompletableFuture<List<T>> start(List<Box> boxes, ResultFactory<T> factory) {
        return engine().startParts(() -> parts(boxes, factory), reading());
    }

    /** Returns a read with one part for each box. The memory of a part is allocated when the part is read. */
    @SuppressWarnings("unchecked")
    private <T> PartedRead<List<T>> parts(List<Box> boxes, ResultFactory<T> factory) {
        Object[] results = new Object[boxes.size()];
        return new PartedRead<>(
                boxes.size(),
                i -> {
                    Box box = boxes.get((int) i);
                    Object array = JavaArrayAdapters.allocate(type, box.shape());
                    return parts(box, target(box, array, 0), wholeOfSeveral(), () -> factory.of(box, array))
                            .plan()
                            .map(value -> {
                                results[(int) i] = value;
                                return NoResult.INSTANCE;
                            });
                },
                () -> (List<T>) Arrays.asList(results));
    }
}
