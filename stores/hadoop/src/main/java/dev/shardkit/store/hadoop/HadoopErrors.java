package dev.shardkit.store.hadoop;

import dev.shardkit.spi.error.StoreException;
import dev.shardkit.store.SystemErrorText;
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
    /** The longest message to show, in characters. */
    private static final int LONGEST = 300;

    private HadoopErrors() {}

    /** Returns whether a failure says that there is no such file: it is missing, or a name above it is a file. */
    static boolean isAbsence(IOException failure) {
        IOException cause = unwrapped(failure);
        return cause instanceof FileNotFoundException || cause instanceof ParentNotDirectoryException;
    }

    /**
     * Returns the error for a failure.
     *
     * @param operation the operation, such as {@code reading}
     */
    static StoreException of(String operation, Path path, Exception failure) {
        if (failure instanceof StoreException ours) {
            return ours;
        }
        Exception cause = failure instanceof IOException io ? unwrapped(io) : failure;
        if (cause instanceof InterruptedIOException || cause instanceof ClosedByInterruptException) {
            if (!(cause instanceof SocketTimeoutException)) {
                return new StoreException("interrupted while " + operation + " " + path, failure);
            }
        }
        return new StoreException(operation + " " + path + " failed: " + reason(cause), failure);
    }

    private static String reason(Exception failure) {
        if (failure instanceof AccessControlException) {
            return "permission denied: " + firstLine(String.valueOf(failure.getMessage()));
        }
        return firstLine(SystemErrorText.of(failure));
    }

    /** Returns the first line of a message. The stack trace of the server follows it. */
    private static String firstLine(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() > LONGEST ? line.substring(0, LONGEST) + "..." : line;
    }

    private static IOException unwrapped(IOException failure) {
        return failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
    }
}
