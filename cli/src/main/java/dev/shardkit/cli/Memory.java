package dev.shardkit.cli;

/** What is said where the heap is too small. Without state. */
final class Memory {
    private static final double MIB = 1 << 20;

    private Memory() {}

    /** The message. */
    static String full() {
        return "not enough memory: the heap is " + mib(Runtime.getRuntime().maxMemory())
                + " at most; give more, for example JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller shards, chunks or regions";
    }

    private static String mib(double bytes) {
        return (long) Math.ceil(bytes / MIB) + " MiB";
    }
}
