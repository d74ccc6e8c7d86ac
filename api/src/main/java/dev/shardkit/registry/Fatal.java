package dev.shardkit.registry;

/** Tells failures of a plug-in from those of the virtual machine, which are nobody's to hide. */
final class Fatal {
    private Fatal() {}

    /** Throws {@code failure} on if it is the virtual machine's own: a stack that is too deep is the plug-in's. */
    static void rethrow(Throwable failure) {
        if (failure instanceof VirtualMachineError e && !(failure instanceof StackOverflowError)) {
            throw e;
        }
    }
}
