package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * A bound codec whose encodings have one layout, so that it knows where a part lies before it sees one: what stands
 * behind it in a chain need not decode the rest. Of {@link ChunkCodec#spanned}. Not for reading from a store by ranges,
 * which is {@link ChunkCodec#decodeInto}'s; used behind filters alone, by chains that know the encoding's size
 * ({@code encodedSize}). Immutable and thread-safe.
 */
public interface Spanned {
    /** From the first to the last byte that {@code part}, which has an element, is decoded from. */
    ByteRange.Slice span(Box part);

    /** Decodes {@code part} from the bytes of its {@link #span}; writes every element of it. */
    void decodeSpan(Bytes span, Box part, Target out, Scratch scratch);
}
