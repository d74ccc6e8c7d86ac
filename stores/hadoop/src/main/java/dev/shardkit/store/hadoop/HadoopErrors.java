package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.FailureReason;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;

/** Converts exceptions of Hadoop's client to errors of the store. */
final class HadoopErrors {
    private static final int LONGEST = 300;

    private HadoopErrors() {}

    /** Returns whether a failure says that there is no such file: it is missing, or a name above it is a file. */
    static boolean isAbsence(IOException failure) {
        IOException own = unwrapped(failure);
        return own instanceof FileNotFoundException || own instanceof ParentNotDirectoryException;
    }

    /**
     * Returns the error for a failure.
     *
     * @param doing the operation, such as {@code reading}
     */
    static StoreException of(String doing, Path path, Exception failure) {
        if (failure instanceof StoreException ours) {
            return ours;
        }
        Exception own = failure instanceof IOException io ? unwrapped(io) : failure;
        if (own instanceof InterruptedIOException || own instanceof ClosedByInterruptException) {
            if (!(own instanceof SocketTimeoutException)) {
                return new StoreException("interrupted while " + doing + " " + path, failure);
            }
        }
        return new StoreException(doing + " " + path + " failed: " + reason(own), failure);
    }

    private static String reason(Exception failure) {
        if (failure instanceof AccessControlException) {
            return "permission denied: " + firstLine(String.valueOf(failure.getMessage()));
        }
        return firstLine(FailureReason.of(failure));
    }

    /** A server's message has its stack trace behind the first line. */
    private static String firstLine(String text) {
        String first = text.lines().findFirst().orElse("");
        return first.length() > LONGEST ? first.substring(0, LONGEST) + "..." : first;
    }

    private static IOException unwrapped(IOException failure) {
        return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    }
}
