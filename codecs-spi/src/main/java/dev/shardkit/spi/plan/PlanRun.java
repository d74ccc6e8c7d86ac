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
 * One run of a plan, without threads and without I/O. {@link #next} returns a task that is ready; the driver performs
 * it and passes the plan that follows to {@link #advance}. Not thread-safe: a driver with several workers guards it by
 * one lock, and performs the tasks (reading, decoding, steps) and makes {@link PlanParts} outside the lock.
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
        DataLocation place();

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
        public ReadRequest<?> request() {
            return need.request();
        }

        @Override
        public DataLocation place() {
            return need.request().place();
        }

        @Override
        public long part() {
            return node.branch().index;
        }

        /** Decodes an answer and runs the step that follows; call it outside the lock. */
        public Plan<?> answer(ReadResult answer, Scratch scratch) {
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
        public DataLocation place() {
            return work.place();
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
    private final Deque<RunningJoin> expanding = new ArrayDeque<>();
    /** The join that the plan starts with. */
    private @Nullable RunningJoin first;

    private int open;
    /** Whether joins expand until the budget is used up. */
    private boolean filling;
    /** Kept in the form that is returned, so returning it allocates nothing. */
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
        for (Optional<PlanParts> parts = reserve(); parts.isPresent(); parts = reserve()) {
            parts.get().make();
            enter(parts.get());
        }
        return Optional.ofNullable(ready.poll());
    }

    /** Removes and returns all tasks that are ready, without expanding joins. */
    public void handOut(Consumer<? super Task> to) {
        for (Task task = ready.poll(); task != null; task = ready.poll()) {
            to.accept(task);
        }
    }

    /** Passes the plan that follows a task that was handed out. */
    public void advance(Task task, Plan<?> following) {
        open--;
        Node node = node(task);
        if (!node.branch().dropped) {
            enter(node, following);
        }
    }

    /**
     * Drops the task's part of the join that the plan starts with. No more tasks of that part are handed out, the steps
     * after its open tasks are skipped, and its value is not gathered. The join continues as if the part had ended.
     */
    public void drop(Task task) {
        open--;
        Branch branch = node(task).branch();
        RunningJoin joined = first;
        if (joined == null) {
            throw new IllegalStateException("expected a plan that began with a join");
        }
        if (!branch.dropped) {
            branch.dropped = true;
            int before = ready.size();
            ready.removeIf(t -> node(t).branch() == branch);
            open -= before - ready.size();
            if (joined.end()) {
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

    /** Returns the number of open tasks: handed out, ready, or reserved as parts. */
    public int open() {
        return open;
    }

    /** Returns the number of joins with parts that were not created yet; for tests. */
    int joins() {
        return expanding.size();
    }

    /**
     * Reserves the parts that joins expand into next. Empty if enough tasks are open, or no join has parts left. Joins
     * expand only when half of the budget is free, so that neighbouring reads appear together and can be merged.
     */
    public Optional<PlanParts> reserve() {
        filling = filling ? open < budget : open <= budget / 2;
        while (filling && open < budget) {
            RunningJoin joined = expanding.peekLast();
            if (joined == null) {
                filling = false;
            } else if (joined.owner.branch().dropped) {
                expanding.removeLast();
            } else {
                Plan<?> part = joined.part(joined.next());
                long index = joined.next();
                if (!(part instanceof Plan.Join<?, ?>)) {
                    int count = (int) Math.min(budget - open, joined.count() - index);
                    open += count;
                    make(joined, count);
                    return Optional.of(new PlanParts(joined, index, count, part));
                }
                make(joined, 1);
                enter(joined, index, part);
            }
        }
        return Optional.empty();
    }

    private void make(RunningJoin joined, int count) {
        if (joined.make(count)) {
            // before its last part adds joins: otherwise a plan that loops over joins piles them up
            expanding.removeLast();
        }
    }

    /** Accepts parts that have been made. Their tasks are ready then. */
    public void enter(PlanParts parts) {
        open -= parts.count();
        if (parts.join().owner.branch().dropped) {
            return;
        }
        for (int i = 0; i < parts.count(); i++) {
            enter(parts.join(), parts.from() + i, parts.plan(i));
        }
    }

    private void enter(RunningJoin joined, long index, Plan<?> part) {
        Branch branch = first == joined ? new Branch(index) : joined.owner.branch();
        enter(new Node(joined, index, branch), part);
    }

    @SuppressWarnings("unchecked")
    private void enter(Node start, Plan<?> first) {
        Node node = start;
        Plan<?> plan = first;
        while (true) {
            if (plan instanceof Plan.Done<?> done) {
                RunningJoin joined = node.parent();
                if (joined == null) {
                    value = (T) done.value();
                    return;
                }
                joined.gather.accept(node.index(), done.value());
                if (!joined.end()) {
                    return;
                }
                node = joined.owner;
                plan = joined.gather.finish();
            } else if (plan instanceof Plan.Join<?, ?> join) {
                RunningJoin joined = new RunningJoin(node, (Plan.Join<Object, Object>) join);
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
    public static <T> T run(Plan<T> plan, Scratch scratch, Function<ReadRequest<?>, ReadResult> answers) {
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
