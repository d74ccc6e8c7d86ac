package dev.shardkit.engine;

import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;

/**
 * Numbered jobs that may wait for a store or a lock, done by the calling thread and by others that have time. The
 * caller waits for those who have begun, not for those that an executor never starts. After a failure no further job is
 * begun; interrupting the caller interrupts the others too. Guarded by its monitor; used once.
 */
final class Jobs {
    private final long count;
    /**
     * Nothing once all is over: helpers that an executor has not begun hold this object, but no data of the caller's.
     */
    private volatile LongConsumer job;

    private final Set<Thread> others = new HashSet<>();
    private final Set<Thread> interrupted = new HashSet<>();
    private Optional<Throwable> failure = Optional.empty();
    private long next;
    private boolean over;

    private Jobs(long count, LongConsumer job) {
        this.count = count;
        this.job = job;
    }

    /** Does jobs 0 to {@code count}, by at most {@code parallel} threads; throws what the first to fail threw. */
    static void run(long count, LongConsumer job, int parallel, Executor executor) {
        Jobs jobs = new Jobs(count, job);
        try {
            for (long i = 1; i < Math.min(count, parallel); i++) {
                executor.execute(jobs::help);
            }
        } catch (Exception e) {
            // then the calling thread does it alone
            System.getLogger("dev.shardkit.engine")
                    .log(System.Logger.Level.DEBUG, "an executor takes no more tasks", e);
        } catch (Throwable e) {
            // those who have begun end before the caller hears of it
            jobs.fail(e);
        }
        jobs.work();
        jobs.awaitOthers();
        jobs.job = i -> {};
        if (jobs.failure.isPresent()) {
            throw Failures.rethrow(jobs.failure.get());
        }
    }

    private void help() {
        synchronized (this) {
            if (over || !others.add(Thread.currentThread())) {
                return;
            }
        }
        work();
        synchronized (this) {
            others.remove(Thread.currentThread());
            if (interrupted.contains(Thread.currentThread())) {
                Thread.interrupted();
            }
            notifyAll();
        }
    }

    private void work() {
        for (OptionalLong i = take(); i.isPresent(); i = take()) {
            try {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancellationException("interrupted");
                }
                job.accept(i.getAsLong());
            } catch (Throwable e) {
                fail(e);
            }
        }
    }

    private synchronized OptionalLong take() {
        return failure.isPresent() || next == count ? OptionalLong.empty() : OptionalLong.of(next++);
    }

    private synchronized void fail(Throwable thrown) {
        if (failure.isEmpty()) {
            failure = Optional.of(thrown);
        }
    }

    private synchronized void awaitOthers() {
        over = true;
        boolean mine = false;
        while (!others.isEmpty()) {
            try {
                wait();
            } catch (InterruptedException e) {
                mine = true;
                fail(new CancellationException("interrupted"));
                interrupted.addAll(others);
                others.forEach(Thread::interrupt);
            }
        }
        if (mine) {
            Thread.currentThread().interrupt();
        }
    }
}
