package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.Place;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan, without threads and without I/O. {@link #next} returns a task that is ready; the driver performs
 * it and passes the plan that follows to {@link #advance}. Not thread-safe: a driver with several workers guards it by
 * one lock and performs the tasks (reading, decoding, steps) outside the lock.
 *
 * <p>Joins expand depth first within a budget of open tasks, so a join of a million parts holds no more tasks than
 * that.
 *
 * @param <T> the type of the result
 */
public final class PlanRun<T> {
    /** A task that is ready to run. */
    public sealed interface Task {
        /** Returns the place of the task, for errors. */
        Place place();

        /**
         * Returns the index of the task's part in the join that the plan starts with; 0 if the plan starts otherwise.
         */
        long part();
    }

    /** A read. Continue with {@code resume(decoder.decode(answer))}. */
    public static final class ReadTask implements Task {
        private final Node node;
        private final Plan.Need<Object, Object> need;

        private ReadTask(Node node, Plan.Need<Object, Object> need) {
            this.node = node;
            this.need = need;
        }

        /** Returns the read. */
        public Request<?> request() {
            return need.request();
        }

        @Override
        public Place place() {
            return need.request().place();
        }

        @Override
        public long part() {
            return node.branch.index;
        }

        /** Decodes an answer and runs the step that follows; call it outside the lock. */
        public Plan<?> answer(Answer answer, Scratch scratch) {
            return resume(need.request().decoder().decode(answer, scratch), scratch);
        }

        /** Runs the step that follows with a decoded value, perhaps from a cache; call it outside the lock. */
        public Plan<?> resume(Object value, Scratch scratch) {
            return need.resume().run(value, scratch);
        }
    }

    /** Work without a read. */
    public static final class WorkTask implements Task {
        private final Node node;
        private final Plan.Defer<Object> work;

        private WorkTask(Node node, Plan.Defer<Object> work) {
            this.node = node;
            this.work = work;
        }

        @Override
        public Place place() {
            return work.place();
        }

        @Override
        public long part() {
            return node.branch.index;
        }

        /** Performs the work; call it outside the lock. */
        public Plan<?> run(Scratch scratch) {
            return work.step().apply(scratch);
        }
    }

    /** A part of the join that the plan starts with, and all its branches; for other plans, the whole plan. */
    private static final class Branch {
        private final long index;
        private boolean dropped;

        Branch(long index) {
            this.index = index;
        }
    }

    /** A branch of the plan in progress. When it ends, the join that it belongs to, if any, continues. */
    private static final class Node {
        private final @Nullable Joined parent;
        private final long index;
        private final Branch branch;

        Node(@Nullable Joined parent, long index, Branch branch) {
            this.parent = parent;
            this.index = index;
            this.branch = branch;
        }
    }

    /** A join in progress. */
    private static final class Joined {
        private final Node owner;
        private final Plan.Join<Object, Object> join;
        private final Gather<Object, Object> gather;
        private long made;
        private long ended;

        Joined(Node owner, Plan.Join<Object, Object> join) {
            this.owner = owner;
            this.join = join;
            this.gather = join.gather().get();
        }
    }

    private final int budget;
    private final Deque<Task> ready = new ArrayDeque<>();
    private final Deque<Joined> expanding = new ArrayDeque<>();
    /** The join that the plan starts with. */
    private @Nullable Joined first;

    private int open;
    /** Kept in the form that is returned, so returning it allocates nothing. */
    private @Nullable T value;

    /**
     * Starts a run.
     *
     * @param budget how many tasks may be open (handed out or ready) before joins stop expanding
     */
    public PlanRun(Plan<T> plan, int budget) {
        this.budget = budget;
        enter(new Node(null, 0, new Branch(0)), plan);
        if (plan instanceof Plan.Join<?, ?> && !expanding.isEmpty()) {
            first = expanding.getFirst();
        }
    }

    /** Returns the next task that is ready. Empty if the run has ended, or waits for tasks that were handed out. */
    public Optional<Task> next() {
        while (true) {
            expand();
            Task task = ready.poll();
            if (task == null || !node(task).branch.dropped) {
                return Optional.ofNullable(task);
            }
            open--;
        }
    }

    /** Passes the plan that follows a task that was handed out. */
    public void advance(Task task, Plan<?> following) {
        open--;
        Node node = node(task);
        if (!node.branch.dropped) {
            enter(node, following);
        }
    }

    /**
     * Drops the task's part of the join that the plan starts with. No more tasks of that part are handed out, the steps
     * after its open tasks are skipped, and its value is not gathered. The join continues as if the part had ended.
     */
    public void drop(Task task) {
        open--;
        Branch branch = node(task).branch;
        Joined joined = first;
        if (joined == null) {
            throw new IllegalStateException("expected a plan that began with a join");
        }
        if (!branch.dropped) {
            branch.dropped = true;
            if (++joined.ended == joined.join.count()) {
                enter(joined.owner, joined.gather.finish());
            }
        }
    }

    private static Node node(Task task) {
        return task instanceof ReadTask r ? r.node : ((WorkTask) task).node;
    }

    /** Returns the value after the plan has ended. */
    public Optional<T> value() {
        return Optional.ofNullable(value);
    }

    /** Returns the number of open tasks: handed out or ready. */
    public int open() {
        return open;
    }

    /** Returns the number of joins with parts that were not created yet; for tests. */
    int joins() {
        return expanding.size();
    }

    /** Expands only when half of the budget is free, so that neighbouring reads appear together and can be merged. */
    private void expand() {
        if (open > budget / 2) {
            return;
        }
        while (open < budget && !expanding.isEmpty()) {
            Joined joined = expanding.peekLast();
            if (joined.owner.branch.dropped) {
                expanding.removeLast();
                continue;
            }
            long index = joined.made++;
            if (joined.made == joined.join.count()) {
                // Remove the join before its last part adds joins of its own; otherwise a plan that loops over joins
                // piles them up.
                expanding.removeLast();
            }
            boolean outermost = first == joined;
            Branch branch = outermost ? new Branch(index) : joined.owner.branch;
            enter(new Node(joined, index, branch), joined.join.part().apply(index));
        }
    }

    @SuppressWarnings("unchecked")
    private void enter(Node start, Plan<?> first) {
        Node node = start;
        Plan<?> plan = first;
        while (true) {
            if (plan instanceof Plan.Done<?> done) {
                Joined joined = node.parent;
                if (joined == null) {
                    value = (T) done.value();
                    return;
                }
                joined.gather.accept(node.index, done.value());
                if (++joined.ended < joined.join.count()) {
                    return;
                }
                node = joined.owner;
                plan = joined.gather.finish();
            } else if (plan instanceof Plan.Join<?, ?> join) {
                Joined joined = new Joined(node, (Plan.Join<Object, Object>) join);
                if (join.count() > 0) {
                    expanding.addLast(joined);
                    return;
                }
                plan = joined.gather.finish();
            } else {
                open++;
                ready.add(
                        plan instanceof Plan.Need<?, ?> need
                                ? new ReadTask(node, (Plan.Need<Object, Object>) need)
                                : new WorkTask(node, (Plan.Defer<Object>) plan));
                return;
            }
        }
    }

    /** Runs a plan that reads no store, such as the decoding of bytes in memory; throws if it reads one. */
    public static <T> T inMemory(Plan<T> plan, Scratch scratch) {
        return run(plan, scratch, request -> {
            throw new IllegalStateException("a request to a store for bytes in memory: " + request);
        });
    }

    /**
     * Runs a plan to its end on the calling thread, one task at a time.
     *
     * @param answers performs the reads
     */
    public static <T> T run(Plan<T> plan, Scratch scratch, Function<Request<?>, Answer> answers) {
        PlanRun<T> run = new PlanRun<>(plan, 1);
        // The last parts of a join may be finished when they are created. Then there is a value without a task.
        for (Optional<Task> next = run.next(); next.isPresent(); next = run.next()) {
            Task task = next.get();
            int mark = scratch.mark();
            Plan<?> following = task instanceof ReadTask r
                    ? r.answer(answers.apply(r.request()), scratch)
                    : ((WorkTask) task).run(scratch);
            run.advance(task, following);
            scratch.reset(mark);
        }
        return run.value().orElseThrow();
    }
}
