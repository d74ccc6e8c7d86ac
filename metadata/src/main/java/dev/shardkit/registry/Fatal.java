package dev.shardkit.registry;

/** Distinguishes failures of a plug-in from fatal errors of the virtual machine, which must not be hidden. */
final class Fatal {
    private Fatal() {}

    /** Rethrows {@code failure} if it is an error of the virtual machine. A stack overflow counts as the plug-in's. */
    static void rethrow(Throwable failure) {
        if (failure instanceof VirtualMachineError e && !(failure instanceof StackOverflowError)) {
            throw e;
        }
    }
}
