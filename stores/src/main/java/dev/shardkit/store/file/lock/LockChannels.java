package dev.shardkit.store.file.lock;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opens and uses the channels of lock files. They are asynchronous channels, because an interrupt of a thread that uses
 * a {@link java.nio.channels.FileChannel} closes the channel. Threads share the channel of a lock file, and on POSIX
 * systems closing it drops all locks that the process holds on the file.
 */
final class LockChannels {
    /** Null on Windows, where the JDK would keep a task in a given executor forever; its own threads are used there. */
    private static final @Nullable ExecutorService EXECUTOR = File.separatorChar == '\\' ? null : new CallingThread();

    private LockChannels() {}

    /** Opens a lock file. */
    static AsynchronousFileChannel open(Path path, Set<OpenOption> options) throws IOException {
        return AsynchronousFileChannel.open(path, options, EXECUTOR);
    }

    /** Reads bytes at the beginning of a file; returns their number, or -1 if the file is empty. */
    static int read(AsynchronousFileChannel file, ByteBuffer target) throws IOException {
        return await(file.read(target, 0));
    }

    /** Writes bytes at the beginning of a file. */
    static void write(AsynchronousFileChannel file, ByteBuffer bytes) throws IOException {
        await(file.write(bytes, 0));
    }

    /** Waits for a read or write. An interrupt does not end the wait, which is as short as any access to a file. */
    private static int await(Future<Integer> access) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return access.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Runs tasks on the thread that submits them. Is never shut down, because it has no threads. */
    private static final class CallingThread extends AbstractExecutorService {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Runnable> shutdownNow() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
