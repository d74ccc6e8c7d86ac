package dev.shardkit.spi.plan;

import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.RunningJoin.Branch;
import dev.shardkit.spi.plan.RunningJoin.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One run of a plan, without threads and without I/O. A driver, such as the engine, performs the run: it takes a task
 * that is ready ({@link #next}), performs it, and passes the plan that follows to {@link #advance}. Not thread-safe: a
 * driver with several workers guards the run by one lock. Outside the lock it performs the tasks (reading, decoding,
 * steps) and makes {@link JoinParts}.
 *
 * <p>A join has parts, which are plans themselves. It expands by turning its parts into tasks, the deepest join first,
 * while fewer tasks are open than the budget. So a join of a million parts never holds a million tasks.
 *
 * @param <T> the type of the result
 */
public final class PlanRun<T> {
    /** A task that is ready to run. */
    public sealed interface Task {
        /** Returns the location of the task's bytes, for errors. */
        DataLocation location();

        /**
         * Returns the index of the task's part in the join that the plan starts with; 0 if the plan starts otherwise.
         */
        long part();
    }

    /** A read. The driver reads the bytes, and then calls {@link #answer}, or decodes and calls {@link #resume}. */
    public static final class ReadTask implements Task {
        private final Node node;
        private final Plan.Need<Object, Object> need;

        private ReadTask(Node node, Plan.Need<Object, Object> need) {
            this.node = node;
            this.need = need;
        }

        /** Returns the read. */
        public ReadRequest<?> request() {
            return need.request();
        }

        @Override
        public DataLocation location() {
            return need.request().location();
        }

        @Override
        public long part() {
            return node.branch().index;
        }

        /** Decodes the result of the read and runs the step that follows; call it outside the lock. */
        public Plan<?> answer(ReadResult result, Scratch scratch) {
            return resume(need.request().decoder().decode(result, scratch), scratch);
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
        public DataLocation location() {
            return work.location();
        }

        @Override
        public long part() {
            return node.branch().index;
        }

        /** Performs the work; call it outside the lock. */
        public Plan<?> run(Scratch scratch) {
            return work.step().apply(scratch);
        }
    }

    private final int budget;
    private final Deque<Task> ready = new ArrayDeque<>();
    /** The joins with parts that were not created yet; the last one, which is the deepest, expands next. */
    private final Deque<RunningJoin> expanding = new ArrayDeque<>();
    /** The join that the plan starts with. */
    private @Nullable RunningJoin first;

    /** The number of tasks that were handed out, are ready, or are reserved as parts of a join. */
    private int openTasks;
    /** Whether joins expand now. They start when half of the budget is free, and stop when it is used up. */
    private boolean isFilling;
    /** The value of the whole plan; null until it has ended. */
    private @Nullable T value;

    /**
     * Starts a run.
     *
     * @param budget how many tasks may be open (handed out, ready, or reserved as parts) before joins stop expanding
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
        for (Optional<JoinParts> parts = reserve(); parts.isPresent(); parts = reserve()) {
            parts.get().make();
            enter(parts.get());
        }
        return Optional.ofNullable(ready.poll());
    }

    /** Removes and returns all tasks that are ready, without expanding joins. */
    public void handOut(Consumer<? super Task> receiver) {
        for (Task task = ready.poll(); task != null; task = ready.poll()) {
            receiver.accept(task);
        }
    }

    /** Ends a task that was handed out, and continues with the plan that the task has returned. */
    public void advance(Task task, Plan<?> following) {
        openTasks--;
        Node node = node(task);
        if (!node.branch().dropped) {
            enter(node, following);
        }
    }

    /**
     * Drops the task's part of the join that the plan starts with. No more tasks of that part are handed out, the steps
     * after its open tasks are skipped, and its value is not collected. The join continues as if the part had ended.
     */
    public void drop(Task task) {
        openTasks--;
        Branch branch = node(task).branch();
        RunningJoin join = first;
        if (join == null) {
            throw new IllegalStateException("expected a plan that began with a join");
        }
        if (!branch.dropped) {
            branch.dropped = true;
            int before = ready.size();
            ready.removeIf(t -> node(t).branch() == branch);
            openTasks -= before - ready.size();
            if (join.end()) {
                enter(join.owner, join.collector.finish());
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

    /** Returns the number of open tasks: handed out, ready, or reserved as parts. */
    public int open() {
        return openTasks;
    }

    /** Returns the number of joins with parts that were not created yet; for tests. */
    int joins() {
        return expanding.size();
    }

    /**
     * Reserves the parts that joins expand into next. Empty if enough tasks are open, or no join has parts left. Joins
     * expand only when half of the budget is free, so that neighbouring reads appear together and can be merged.
     */
    public Optional<JoinParts> reserve() {
        isFilling = isFilling ? openTasks < budget : openTasks <= budget / 2;
        while (isFilling && openTasks < budget) {
            RunningJoin join = expanding.peekLast();
            if (join == null) {
                isFilling = false;
            } else if (join.owner.branch().dropped) {
                expanding.removeLast();
            } else {
                // If the next part is no join, the others are taken to be like it: as many as the budget allows are
                // reserved together, as one task each. A part that is a join is entered alone.
                Plan<?> part = join.part(join.next());
                long index = join.next();
                if (!(part instanceof Plan.Join<?, ?>)) {
                    int count = (int) Math.min(budget - openTasks, join.count() - index);
                    openTasks += count;
                    reserveParts(join, count);
                    return Optional.of(new JoinParts(join, index, count, part));
                }
                reserveParts(join, 1);
                enter(join, index, part);
            }
        }
        return Optional.empty();
    }

    private void reserveParts(RunningJoin join, int count) {
        if (join.reserve(count)) {
            // The join is removed before its last part adds joins of its own. Otherwise the joins of a plan that ends
            // each join with another one would pile up.
            expanding.removeLast();
        }
    }

    /** Accepts parts that have been made. Their tasks are ready then. */
    public void enter(JoinParts parts) {
        openTasks -= parts.count(); // the tasks that they become are counted again
        if (parts.join().owner.branch().dropped) {
            return;
        }
        for (int i = 0; i < parts.count(); i++) {
            enter(parts.join(), parts.from() + i, parts.plan(i));
        }
    }

    private void enter(RunningJoin join, long index, Plan<?> part) {
        Branch branch = first == join ? new Branch(index) : join.owner.branch();
        enter(new Node(join, index, branch), part);
    }

    /** Expands a plan until it waits: for a task, which becomes ready, or for the parts of a join. */
    @SuppressWarnings("unchecked")
    private void enter(Node start, Plan<?> entered) {
        Node node = start;
        Plan<?> plan = entered;
        while (true) {
            if (plan instanceof Plan.Done<?> done) {
                RunningJoin join = node.parent();
                if (join == null) {
                    value = (T) done.value();
                    return;
                }
                join.collector.accept(node.index(), done.value());
                if (!join.end()) {
                    return;
                }
                node = join.owner;
                plan = join.collector.finish();
            } else if (plan instanceof Plan.Join<?, ?> join) {
                RunningJoin running = new RunningJoin(node, (Plan.Join<Object, Object>) join);
                if (join.count() > 0) {
                    expanding.addLast(running);
                    return;
                }
                plan = running.collector.finish();
            } else {
                openTasks++;
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
     * @param reads performs the reads
     */
    public static <T> T run(Plan<T> plan, Scratch scratch, Function<ReadRequest<?>, ReadResult> reads) {
        PlanRun<T> run = new PlanRun<>(plan, 1);
        // The plan may also end without a task: its last parts may be finished when they are created.
        for (Optional<Task> next = run.next(); next.isPresent(); next = run.next()) {
            Task task = next.get();
            int mark = scratch.mark();
            Plan<?> following = task instanceof ReadTask r
                    ? r.answer(reads.apply(r.request()), scratch)
                    : ((WorkTask) task).run(scratch);
            run.advance(task, following);
            scratch.reset(mark);
        }
        return run.value().orElseThrow();
    }
}
