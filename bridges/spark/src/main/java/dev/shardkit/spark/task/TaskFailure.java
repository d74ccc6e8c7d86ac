package dev.shardkit.spark.task;

import java.util.function.Supplier;

/**
 * The failure of a task, which Spark sends to the driver. It copies the message and the stack trace of the original
 * error but not its class: the class may belong to a plug-in that the driver does not have.
 */
public final class TaskFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TaskFailure(String message) {
        super(message);
    }

    /**
     * Runs {@code work}. A {@link RuntimeException} or {@link LinkageError} becomes a failure of this class, whose
     * message begins with {@code name} and a colon.
     *
     * @param name names the work in messages
     */
    public static <R> R named(String name, Supplier<R> work) {
        try {
            return work.get();
        } catch (RuntimeException | LinkageError e) { // any class: the driver may lack a plug-in's classes
            throw of(name, e);
        }
    }

    private static TaskFailure of(String work, Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        TaskFailure copy = new TaskFailure(work + ": " + message);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
