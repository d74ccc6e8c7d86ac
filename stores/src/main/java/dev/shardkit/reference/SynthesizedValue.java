package dev.shardkit.reference;

import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import java.util.List;
import java.util.function.Function;

/**
 * A value that is made of ranges of one object when it is read, for formats whose chunks are no ranges. It does no I/O:
 * it names the ranges that it needs next. Immutable and thread-safe.
 */
public interface SynthesizedValue {
    /** Returns the key of the object. */
    String key();

    /** Returns what to do first; the value is always the same for one version of the object. */
    Step first();

    /** What to do next. */
    sealed interface Step {}

    /**
     * Reads ranges of the object, all of one version.
     *
     * @param ranges the ranges, which the object must have
     * @param then what follows when they have come, in the same order
     */
    record Read(List<ByteRange.Slice> ranges, Function<List<Bytes>, Step> then) implements Step {}

    /** The end: the bytes of the value. */
    record Made(Bytes bytes) implements Step {}
}
