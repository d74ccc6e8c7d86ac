package dev.shardkit.spark.task;

/** The failure of a task, in a form that each driver can read: the error's own class may be that of a plug-in. */
public final class TaskFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TaskFailure(String message) {
        super(message);
    }

    /** Returns the failure of some work, with the message of its cause. */
    public static TaskFailure of(String work, Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        TaskFailure copy = new TaskFailure(work + ": " + message);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
