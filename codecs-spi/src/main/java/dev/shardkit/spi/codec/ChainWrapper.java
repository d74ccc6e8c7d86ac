package dev.shardkit.spi.codec;

import dev.shardkit.spi.plan.Bytes;
import java.util.Optional;

/**
 * Describes an array-to-bytes codec that encodes the elements by a chain of codecs and puts bytes around them, such as
 * a header. A copy of an array can take the output of the chain out of each chunk without decoding it. Immutable and
 * thread-safe.
 */
public interface ChainWrapper {
    /** Returns the chain that encodes the elements. */
    CodecChain codecs();

    /**
     * Returns the output of the chain, which an encoded chunk contains.
     *
     * @param shape the shape of the chunk
     * @return empty if the chain encodes another shape than that of the chunk
     * @throws dev.shardkit.spi.error.CorruptDataException if the bytes around the elements are damaged
     */
    Optional<Bytes> elements(Bytes encoded, long[] shape);
}
