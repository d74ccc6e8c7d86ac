package dev.shardkit.spark;

/** The failure of a task, in a form that each driver can read: the error's own class may be that of a plug-in. */
final class TaskFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TaskFailure(String message) {
        super(message);
    }

    static TaskFailure of(String work, Throwable failure) {
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        TaskFailure copy = new TaskFailure(work + ": " + message);
        copy.setStackTrace(failure.getStackTrace());
        return copy;
    }
}
