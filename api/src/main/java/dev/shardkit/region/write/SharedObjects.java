package dev.shardkit.region.write;

import dev.shardkit.engine.edit.ObjectChange;
import dev.shardkit.engine.edit.WriteContext;
import dev.shardkit.region.ChunkPlans;
import dev.shardkit.region.feed.WritePart;
import dev.shardkit.session.Session;
import dev.shardkit.spi.codec.Edit;
import dev.shardkit.spi.codec.ShardWritePolicy;
import dev.shardkit.spi.plan.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;

/**
 * Writes the chunks of an array whose storage transformers pack several chunks into one stored object. All chunks of an
 * object are written by one change. If the transformer does not support that, each chunk needs a change of its own, and
 * the changes of an object run one after the other. Arrays with the codec {@code sharding_indexed} do not need this
 * class, because a shard is a single chunk of the grid. Immutable, thread-safe.
 */
public final class SharedObjects {
    private final Session session;
    private final ChunkPlans chunks;
    private final WriteContext writing;

    public SharedObjects(Session session, ChunkPlans chunks, WriteContext writing) {
        this.session = session;
        this.chunks = chunks;
        this.writing = writing;
    }

    /** Changes {@code count} chunks, and passes the number of each changed one to {@code done}. */
    public void change(long count, LongFunction<long[]> cell, WritePart.OfChunk parts, LongConsumer done) {
        Map<String, List<Member>> objects = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            Member member = new Member(i, cell.apply(i), parts.part(i, cell.apply(i)));
            objects.computeIfAbsent(chunks.storedKey(member.cell()), k -> new ArrayList<>())
                    .add(member);
        }
        List<List<Member>> remaining = List.copyOf(objects.values());
        while (!remaining.isEmpty()) {
            // at most one change for each object, so that the changes of a batch can run at the same time
            List<List<Member>> batch = new ArrayList<>();
            List<List<Member>> next = new ArrayList<>();
            for (List<Member> object : remaining) {
                boolean isOneChange = object.size() == 1
                        || plan(object, session.options().writing().policy()).isPresent();
                batch.add(isOneChange ? object : object.subList(0, 1));
                if (!isOneChange) {
                    next.add(object.subList(1, object.size()));
                }
            }
            session.edits()
                    .changeAll(
                            batch.size(),
                            i -> chunks.storedKey(batch.get((int) i).get(0).cell()),
                            i -> change(batch.get((int) i), done),
                            writing);
            remaining = next;
        }
    }

    /** A chunk and the elements to write to it. */
    private record Member(long number, long[] cell, WritePart part) {}

    /** Returns the plan that writes chunks of one object; empty if the transformer cannot change several at once. */
    private Optional<Plan<Edit>> plan(List<Member> members, ShardWritePolicy policy) {
        if (members.size() == 1) {
            Member only = members.get(0);
            return Optional.of(
                    chunks.write(only.cell(), only.part().box(), only.part().feed(), policy));
        }
        return chunks.write(
                members.stream().map(Member::cell).toList(),
                members.stream().map(Member::part).toList(),
                policy);
    }

    /** Returns the change of one object that writes these chunks. */
    private ObjectChange change(List<Member> members, LongConsumer done) {
        return new ObjectChange() {
            @Override
            public Plan<Edit> plan(ShardWritePolicy policy) {
                return SharedObjects.this.plan(members, policy).orElseThrow();
            }

            @Override
            public void carriedOut() {
                members.forEach(member -> done.accept(member.number()));
            }
        };
    }
}
