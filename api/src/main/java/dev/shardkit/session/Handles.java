package dev.shardkit.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The way from what users hold (an array, options) to what it is made of, for other modules of the library. The public
 * classes have no such method, and users do not see this package. A class opens itself when it is loaded. Thread-safe.
 */
public final class Handles {
    private static final Map<Class<?>, Function<Object, Object>> WAYS = new ConcurrentHashMap<>();

    private Handles() {}

    /** Opens a class of handles. */
    public static <H, I> void open(Class<H> handles, Function<H, I> way) {
        WAYS.put(handles, handle -> way.apply(handles.cast(handle)));
    }

    /** What {@code handle} is made of. */
    public static <I> I inside(Object handle, Class<I> inside) {
        Function<Object, Object> way = WAYS.get(handle.getClass());
        if (way == null) {
            throw new IllegalArgumentException("no handle: " + handle.getClass());
        }
        return inside.cast(way.apply(handle));
    }
}
