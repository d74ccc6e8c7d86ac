package dev.shardkit.engine.edit;

import dev.shardkit.engine.error.Failures;
import dev.shardkit.engine.run.Engine;
import dev.shardkit.engine.threads.BlockingJobs;
import dev.shardkit.engine.threads.CallFuture;
import dev.shardkit.engine.threads.EncodedBudget;
import dev.shardkit.engine.threads.PreparedCall;
import dev.shardkit.engine.threads.SharedTasks;
import dev.shardkit.spi.error.DataLocation;
import dev.shardkit.spi.plan.NoResult;
import dev.shardkit.store.Locks;
import dev.shardkit.store.RemoteReads;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Changes many objects of a remote store at once, for blocking and for asynchronous calls. Chooses locks and threads;
 * {@link RemoteChangeSchedule} schedules the changes of one call. While a blocking call waits, its thread runs the
 * steps of its changes that no other thread has begun, so the call needs no other thread. Interrupting it ends its
 * changes. A call with a future holds no thread. If the store has locks, each object is changed under its own lock, by
 * a thread that holds the lock and may wait.
 */
final class RemoteEdits {
    private final Engine engine;
    private final EncodedBudget encoded;
    private final WriteContext context;

    RemoteEdits(Engine engine, EncodedBudget encoded, WriteContext context) {
        this.engine = engine;
        this.encoded = encoded;
        this.context = context;
    }

    /** Returns whether {@link #prepare} can make the changes, which is possible if they need no locks. */
    static boolean canStart(WriteContext context) {
        return context.store().reads() instanceof RemoteReads
                && (context.locking() == WriteContext.Locking.NONE
                        || (!context.can(Locks.class) && context.access().putsUnderConditions()));
    }

    /** Carries out all changes. Throws the first failure. */
    void run(RemoteChangeSchedule.Wanted changes) {
        if (changes.count() == 0) {
            return;
        } else if (context.locking() == WriteContext.Locking.NONE) {
            run(changes, RemoteEdit.Guard.NONE);
        } else if (context.can(Locks.class)) {
            BlockingJobs.run(
                    changes.count(),
                    i -> runLocked(changes.key().apply(i), changes.change().apply(i), changes),
                    Math.max(1, ((RemoteReads) context.store().reads()).maxRequests()),
                    engine.workers().calls());
        } else if (context.access().putsUnderConditions()) {
            run(changes, RemoteEdit.Guard.CONDITION);
        } else {
            throw context.unguarded(changes.key().apply(0));
        }
    }

    /** Carries out one change under the lock of its object. */
    @SuppressWarnings("try")
    private void runLocked(String key, ObjectChange change, RemoteChangeSchedule.Wanted changes) {
        try (Locks.Lock lock =
                context.call(key, () -> context.access().lock(context.array(), key, context.patience()))) {
            context.guard().check(lock.generation());
            run(new RemoteChangeSchedule.Wanted(1, i -> key, i -> change, changes.onChanged()), RemoteEdit.Guard.NONE);
        } catch (IOException e) {
            throw Failures.rethrow(Failures.ofStore(e, context.reading().array(), DataLocation.of(key), ""));
        }
    }

    /**
     * Prepares all changes. After the future was stopped, no further change begins, and the future completes when the
     * puts under way have ended. Dependents of the future run on the thread that ends the last change, so they must be
     * short.
     */
    PreparedCall<NoResult> prepare(RemoteChangeSchedule.Wanted changes) {
        RemoteEdit.Guard guard =
                context.locking() == WriteContext.Locking.NONE ? RemoteEdit.Guard.NONE : RemoteEdit.Guard.CONDITION;
        Started started = new Started(changes, guard);
        return new PreparedCall<>(started, started.changes::begin);
    }

    /**
     * The future of a call. With a caller's executor, a thread that waits for the future runs steps that no other
     * thread has begun.
     */
    private final class Started extends CallFuture<NoResult> {
        private final @Nullable SharedTasks tasks;
        private final RemoteChangeSchedule changes;

        Started(RemoteChangeSchedule.Wanted changes, RemoteEdit.Guard guard) {
            this.tasks = engine.workers().areOwn() ? null : new SharedTasks(this::wake, SharedTasks.Awaited.PERHAPS);
            Engine sharing =
                    tasks == null ? engine : new Engine(engine.workers().sharing(tasks));
            this.changes = new RemoteChangeSchedule(sharing, encoded, context, guard, changes, this::onEnd);
        }

        private void onEnd() {
            end(NoResult.INSTANCE, changes.failure());
        }

        @Override
        protected void stopWork(Throwable reason) {
            changes.cancel(reason);
        }

        @Override
        public void help() {
            if (tasks != null) {
                try {
                    work(tasks);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        /** Runs steps that no other thread has begun, or waits for them, until the call ends. */
        private void work(SharedTasks shared) throws InterruptedException {
            while (!hasEnded()) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                if (!shared.runOne()) {
                    synchronized (this) {
                        while (!hasEnded() && shared.isEmpty()) {
                            wait();
                        }
                    }
                }
            }
        }

        private synchronized void wake() {
            notifyAll();
        }
    }

    private void run(RemoteChangeSchedule.Wanted changes, RemoteEdit.Guard guard) {
        new Waiting().run(changes, guard);
    }

    /** A blocking call. The calling thread waits on this object's monitor. */
    private final class Waiting {
        private final SharedTasks tasks = new SharedTasks(this::wake, SharedTasks.Awaited.ALWAYS);

        void run(RemoteChangeSchedule.Wanted changes, RemoteEdit.Guard guard) {
            Engine sharing = new Engine(engine.workers().sharing(tasks));
            RemoteChangeSchedule running =
                    new RemoteChangeSchedule(sharing, encoded, context, guard, changes, this::wake);
            boolean interrupted = Thread.interrupted();
            if (interrupted) {
                running.cancel(new CancellationException("interrupted"));
            }
            running.begin();
            while (!running.hasEnded()) {
                try {
                    help(running);
                } catch (InterruptedException e) {
                    interrupted = true;
                    running.cancel(new CancellationException("interrupted"));
                } catch (Throwable e) {
                    running.cancel(e);
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            Throwable failure = running.failure();
            if (failure != null) {
                throw Failures.rethrow(failure);
            }
        }

        /** Runs steps that no other thread has begun, or waits, until the changes are over. */
        private void help(RemoteChangeSchedule running) throws InterruptedException {
            while (true) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                synchronized (this) {
                    while (!running.hasEnded() && tasks.isEmpty()) {
                        wait();
                    }
                }
                if (running.hasEnded()) {
                    return;
                }
                tasks.runOne();
            }
        }

        private synchronized void wake() {
            notifyAll();
        }
    }
}
