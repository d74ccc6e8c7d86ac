package dev.shardkit.cli;

/** Formats the message for a heap that is too small. Stateless. */
final class HeapSizeMessage {
    private static final double MIB = 1 << 20;

    private HeapSizeMessage() {}

    /** Returns the message for an exhausted heap. */
    static String heapExhausted() {
        return "not enough memory: the heap is limited to "
                + mib(Runtime.getRuntime().maxMemory())
                + "; raise the limit, for example with JAVA_TOOL_OPTIONS=-Xmx4g, or choose smaller shards, "
                + "chunks or regions";
    }

    private static String mib(double bytes) {
        return (long) Math.ceil(bytes / MIB) + " MiB";
    }
}
