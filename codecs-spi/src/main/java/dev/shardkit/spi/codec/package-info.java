/**
 * Codecs, the codec chain and the edits of partial writes. The codecs themselves are in other modules.
 *
 * <p>Authors implement one of the three kinds of {@link dev.shardkit.spi.codec.Codec}. A
 * {@link dev.shardkit.spi.codec.CodecChain} binds codecs to a chunk type and yields a
 * {@link dev.shardkit.spi.codec.ChunkCodec}, which the engine uses. {@link dev.shardkit.spi.codec.ShardAccess} gives
 * access to the inner chunks of a shard.
 */
@NullMarked
package dev.shardkit.spi.codec;

import org.jspecify.annotations.NullMarked;
