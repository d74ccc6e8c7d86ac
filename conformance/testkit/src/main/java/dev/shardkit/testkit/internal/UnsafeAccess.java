package dev.shardkit.testkit.internal;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;

/**
 * Says whether this JVM lets libraries use {@code sun.misc.Unsafe}. The library aircompressor, with which many tests
 * compare, needs it. JVMs from 24 on warn about its use, and deny it if configured. Stateless.
 */
public enum UnsafeAccess {
    /** {@code Unsafe} works, with or without a warning. */
    ALLOWED,
    /** A call of {@code Unsafe} fails. */
    DENIED;

    /** Returns the access of this JVM; determined once. */
    public static UnsafeAccess ofThisJvm() {
        return Found.ACCESS;
    }

    /** Determines the access when it is first needed. */
    private static final class Found {
        private static final UnsafeAccess ACCESS = works() ? ALLOWED : DENIED;

        private static boolean works() {
            try {
                Class<?> unsafe = Class.forName("sun.misc.Unsafe");
                Field only = unsafe.getDeclaredField("theUnsafe");
                only.setAccessible(true);
                Object offset = unsafe.getField("ARRAY_BYTE_BASE_OFFSET").get(null);
                unsafe.getMethod("getByte", Object.class, long.class)
                        .invoke(only.get(null), new byte[1], ((Number) offset).longValue());
                return true;
            } catch (InvocationTargetException e) {
                return false;
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("sun.misc.Unsafe does not have the members expected", e);
            }
        }
    }
}
