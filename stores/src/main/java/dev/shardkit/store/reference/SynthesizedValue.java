package dev.shardkit.store.reference;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.function.Function;

/**
 * A value that is computed from ranges of one object when it is read, for formats whose chunks are not ranges of a
 * file. A computation does no I/O itself: each step names the ranges that the next one needs. Immutable and
 * thread-safe.
 */
public interface SynthesizedValue {
    /** Returns the key of the object. */
    String key();

    /** Returns the first step. The value is always the same for one version of the object. */
    Step first();

    /** A step of the computation. */
    sealed interface Step {}

    /**
     * Reads ranges of the object, all of one version.
     *
     * @param ranges the ranges, which the object must have
     * @param then returns the next step, from the bytes of the ranges in the same order
     */
    record Read(List<ByteRange.Slice> ranges, Function<List<Bytes>, Step> then) implements Step {}

    /** The last step: the bytes of the value. */
    record Made(Bytes bytes) implements Step {}
}
