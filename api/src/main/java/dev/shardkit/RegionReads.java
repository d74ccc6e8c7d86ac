package dev.shardkit;

import dev.shardkit.carrier.JavaArrays;
import dev.shardkit.engine.Parts;
import dev.shardkit.metadata.ArrayMetadata;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.Unit;
import dev.shardkit.store.AsyncStore;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The reading side of an array. Immutable, thread-safe. */
final class RegionReads {
    private final Session session;
    private final String path;
    private final DataType type;
    private final Chunks chunks;

    RegionReads(Session session, String path, ArrayMetadata metadata, Chunks chunks) {
        this.session = session;
        this.path = path;
        this.type = metadata.dataType();
        this.chunks = chunks;
    }

    NdArray read(Box region) {
        Object array = JavaArrays.allocate(type, region.shape());
        read(region, target(region, array, 0));
        return NdArray.of(type, region.shape(), array);
    }

    void read(Box region, Target target) {
        session.read(() -> parts(region, target, () -> Unit.UNIT), path);
    }

    CompletableFuture<NdArray> start(Box region) {
        Object array = JavaArrays.allocate(type, region.shape());
        return session.startRead(
                () -> parts(region, target(region, array, 0), () -> NdArray.of(type, region.shape(), array)), path);
    }

    CompletableFuture<Unit> start(Box region, Target target) {
        return session.startRead(() -> parts(region, target, () -> Unit.UNIT), path);
    }

    Target target(Box region, Object array, int offset) {
        return JavaArrays.target(type, region.shape(), array, offset);
    }

    private <T> Parts<T> parts(Box region, Target target, Supplier<T> value) {
        boolean far = session.store() instanceof AsyncStore;
        Chunks.WholeShards whole =
                switch (session.options().readPolicy()) {
                    case AUTO -> far ? Chunks.WholeShards.WHERE_ALL_IS_WANTED : Chunks.WholeShards.NEVER;
                    case RANGES -> Chunks.WholeShards.NEVER;
                    case WHOLE_SHARD -> Chunks.WholeShards.ALWAYS;
                };
        return chunks.read(region, target, whole, value);
    }

    List<InnerChunk> read(List<Box> boxes) {
        return session.read(() -> parts(boxes), path);
    }

    CompletableFuture<List<InnerChunk>> start(List<Box> boxes) {
        return session.startRead(() -> parts(boxes), path);
    }

    /** Each box is a part, which has memory of its own each time that it is read. */
    private Parts<List<InnerChunk>> parts(List<Box> boxes) {
        InnerChunk[] chunksRead = new InnerChunk[boxes.size()];
        return new Parts<>(
                boxes.size(),
                i -> {
                    Box box = boxes.get((int) i);
                    Object array = JavaArrays.allocate(type, box.shape());
                    return parts(box, target(box, array, 0), () -> NdArray.of(type, box.shape(), array))
                            .plan()
                            .map(read -> {
                                chunksRead[(int) i] = new InnerChunk(box, read);
                                return Unit.UNIT;
                            });
                },
                () -> Arrays.asList(chunksRead));
    }
}
