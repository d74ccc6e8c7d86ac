package dev.shardkit.spi.codec;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Target;
import dev.shardkit.spi.plan.ByteRange;
import dev.shardkit.spi.plan.Bytes;
import dev.shardkit.spi.plan.Scratch;

/**
 * A bound codec whose encodings all have the same layout, so the byte range of a part is known before any byte is
 * decoded. The bytes-to-bytes codecs of the chain (filters) then decode this range only. Chains use it if the codec has
 * filters and its encodings have one size ({@link ChunkCodec#encodedSize}). Returned by {@link ChunkCodec#fixedLayout}.
 * Does not read byte ranges from a store; {@link ChunkCodec#decodeInto} does. Immutable and thread-safe.
 */
public interface FixedLayout {
    /** Returns the byte range that holds all encoded elements of {@code part}, which must not be empty. */
    ByteRange.Slice span(Box part);

    /** Decodes {@code part} from the bytes of its {@link #span} and writes every element of it. */
    void decodeSpan(Bytes span, Box part, Target out, Scratch scratch);
}
