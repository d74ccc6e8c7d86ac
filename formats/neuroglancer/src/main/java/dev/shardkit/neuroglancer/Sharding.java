package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * The sharding specification of a scale: which shard, and which minishard in it, has the chunk with an id (sharded.md
 * of neuroglancer, "Sharding specification"). Immutable.
 *
 * @param preshift the number of low bits of a chunk's id that the hash ignores
 * @param hash the hash function
 * @param minishardBits the number of bits of the hash that select the minishard
 * @param shardBits the number of bits of the hash, above those of the minishard, that select the shard
 * @param index the encoding of minishard indexes
 * @param data the encoding of chunks
 */
record Sharding(int preshift, ShardHash hash, int minishardBits, int shardBits, Encoding index, Encoding data) {
    static final String TYPE = "neuroglancer_uint64_sharded_v1";
    /** The size of an entry of the shard index: the start and the end of a minishard index. */
    static final int ENTRY_BYTES = 2 * Long.BYTES;

    /** The maximum number of minishard bits. With more, the index of each shard would exceed 16 GiB. */
    private static final int MAX_MINISHARD_BITS = 30;

    /** The compression of bytes in a shard. */
    enum Encoding {
        RAW,
        GZIP;

        String encodingName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Parses the specification in {@code info}, or in the configuration of a transformer. */
    static Sharding parse(Config config) {
        Json type = config.json("@type").orElseGet(Json.Null::new);
        if (!type.equals(Json.of(TYPE))) {
            throw new UnsupportedException(config.at("@type") + ": expected \"" + TYPE + "\", found " + type);
        }
        int minishards = (int) config.requiredInteger("minishard_bits", 0, Long.SIZE);
        if (minishards > MAX_MINISHARD_BITS) {
            throw new UnsupportedException(
                    config.at("minishard_bits") + ": expected at most " + MAX_MINISHARD_BITS + ", found " + minishards);
        }
        return new Sharding(
                (int) config.requiredInteger("preshift_bits", 0, Long.SIZE),
                readHash(config),
                minishards,
                (int) config.requiredInteger("shard_bits", 0, (long) Long.SIZE - minishards),
                readEncoding(config, "minishard_index_encoding"),
                readEncoding(config, "data_encoding"));
    }

    private static ShardHash readHash(Config config) {
        Json value = config.json("hash")
                .orElseThrow(() -> new MetadataException(config.at("hash") + ": is required, but missing"));
        return List.of(ShardHash.values()).stream()
                .filter(hash -> Json.of(hash.functionName()).equals(value))
                .findFirst()
                .orElseThrow(() -> new UnsupportedException(config.at("hash") + ": hash " + value
                        + " is not supported; known are identity and murmurhash3_x86_128"));
    }

    private static Encoding readEncoding(Config config, String member) {
        Json value = config.json(member).orElseGet(() -> Json.of("raw"));
        return List.of(Encoding.values()).stream()
                .filter(encoding -> Json.of(encoding.encodingName()).equals(value))
                .findFirst()
                .orElseThrow(() -> new UnsupportedException(
                        config.at(member) + ": encoding " + value + " is not supported; known are raw and gzip"));
    }

    /** Returns the specification as in {@code info}. */
    Json.Obj toJson() {
        return Json.object()
                .with("@type", Json.of(TYPE))
                .with("preshift_bits", Json.of(preshift))
                .with("hash", Json.of(hash.functionName()))
                .with("minishard_bits", Json.of(minishardBits))
                .with("shard_bits", Json.of(shardBits))
                .with("minishard_index_encoding", Json.of(index.encodingName()))
                .with("data_encoding", Json.of(data.encodingName()));
    }

    /** Returns the size of the shard index in bytes. */
    long indexSize() {
        return (long) ENTRY_BYTES << minishardBits;
    }

    /** Returns the position of a chunk by its id. */
    Slot slot(long id) {
        long hashValue = hash.hash(preshift == Long.SIZE ? 0 : id >>> preshift);
        long minishard = lowBits(hashValue, minishardBits);
        long shard = lowBits(minishardBits == Long.SIZE ? 0 : hashValue >>> minishardBits, shardBits);
        return new Slot(shard, (int) minishard);
    }

    private static long lowBits(long word, int bits) {
        return bits == Long.SIZE ? word : word & (1L << bits) - 1;
    }

    /** Returns the key of a shard of the scale at {@code path}. */
    String shardKey(String path, long shard) {
        String hex = Long.toHexString(shard);
        int digits = (shardBits + 3) / 4;
        return StoreKeys.join(path, "0".repeat(Math.max(0, digits - hex.length())) + hex + ".shard");
    }

    /**
     * The position of a chunk.
     *
     * @param shard the number of the shard, unsigned
     * @param minishard the number of the minishard in it
     */
    record Slot(long shard, int minishard) {}
}
