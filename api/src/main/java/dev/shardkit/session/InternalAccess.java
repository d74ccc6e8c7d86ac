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
    private static final Map<Class<?>, Function<Object, Object>> WAYS = new ConcurrentHashMap<>();

    private InternalAccess() {}

    /** Registers a handle class. */
    public static <H, I> void open(Class<H> handles, Function<H, I> way) {
        WAYS.put(handles, handle -> way.apply(handles.cast(handle)));
    }

    /** Returns the internals of {@code handle}. */
    public static <I> I inside(Object handle, Class<I> inside) {
        Function<Object, Object> way = WAYS.get(handle.getClass());
        if (way == null) {
            throw new IllegalArgumentException("expected a handle of shardkit, found " + handle.getClass());
        }
        return inside.cast(way.apply(handle));
    }
}
