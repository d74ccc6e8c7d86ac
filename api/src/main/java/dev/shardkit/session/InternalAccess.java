package dev.shardkit.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Gives other modules of the library access to the internal object behind a public handle, such as an array or options.
 * The public classes have no method for that, and this package is not exported to users. Each handle class registers
 * its accessor when it is loaded. Thread-safe.
 */
public final class InternalAccess {
    private static final Map<Class<?>, Function<Object, Object>> ACCESSORS = new ConcurrentHashMap<>();

    private InternalAccess() {}

    /** Registers a handle class. */
    public static <H, I> void open(Class<H> handleClass, Function<H, I> accessor) {
        ACCESSORS.put(handleClass, handle -> accessor.apply(handleClass.cast(handle)));
    }

    /** Returns the internals of {@code handle}. */
    public static <I> I inside(Object handle, Class<I> internalClass) {
        Function<Object, Object> accessor = ACCESSORS.get(handle.getClass());
        if (accessor == null) {
            throw new IllegalArgumentException("expected a handle of shardkit, found " + handle.getClass());
        }
        return internalClass.cast(accessor.apply(handle));
    }
}
