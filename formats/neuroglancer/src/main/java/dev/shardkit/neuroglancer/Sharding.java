package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.StoreKeys;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * A sharding specification (sharded.md, "Sharding specification"). An immutable value.
 *
 * @param preshift the number of low bits of a chunk's number that the hash leaves out
 * @param hash the hash function
 * @param minishardBits the number of bits of the hash that select the minishard
 * @param shardBits the number of bits of the hash above them that select the shard
 * @param index the encoding of minishard indexes
 * @param data the encoding of chunks
 */
record Sharding(int preshift, ShardHash hash, int minishardBits, int shardBits, Encoding index, Encoding data) {
    static final String TYPE = "neuroglancer_uint64_sharded_v1";
    static final int ENTRY = 2 * Long.BYTES;

    /** More minishards than this would make the fixed part of each shard larger than 16 GiB. */
    private static final int MAX_MINISHARD_BITS = 30;

    /** How bytes in a shard are compressed. */
    enum Encoding {
        RAW,
        GZIP;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Sharding of(Config config) {
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
                hash(config),
                minishards,
                (int) config.requiredInteger("shard_bits", 0, (long) Long.SIZE - minishards),
                encoding(config, "minishard_index_encoding"),
                encoding(config, "data_encoding"));
    }

    private static ShardHash hash(Config config) {
        Json stated = config.json("hash")
                .orElseThrow(() -> new MetadataException(config.at("hash") + ": is required, but missing"));
        return List.of(ShardHash.values()).stream()
                .filter(hash -> Json.of(hash.label()).equals(stated))
                .findFirst()
                .orElseThrow(() -> new UnsupportedException(config.at("hash") + ": hash " + stated
                        + " is not supported; known are identity and murmurhash3_x86_128"));
    }

    private static Encoding encoding(Config config, String member) {
        Json stated = config.json(member).orElseGet(() -> Json.of("raw"));
        return List.of(Encoding.values()).stream()
                .filter(encoding -> Json.of(encoding.label()).equals(stated))
                .findFirst()
                .orElseThrow(() -> new UnsupportedException(
                        config.at(member) + ": encoding " + stated + " is not supported; known are raw and gzip"));
    }

    /** Returns the specification as in {@code info}. */
    Json.Obj json() {
        return Json.object()
                .with("@type", Json.of(TYPE))
                .with("preshift_bits", Json.of(preshift))
                .with("hash", Json.of(hash.label()))
                .with("minishard_bits", Json.of(minishardBits))
                .with("shard_bits", Json.of(shardBits))
                .with("minishard_index_encoding", Json.of(index.label()))
                .with("data_encoding", Json.of(data.label()));
    }

    /** Returns the size of the shard index in bytes. */
    long indexSize() {
        return (long) ENTRY << minishardBits;
    }

    /** Returns the place of the chunk with this number. */
    Slot slot(long id) {
        long hashed = hash.of(preshift == Long.SIZE ? 0 : id >>> preshift);
        return new Slot(low(minishardBits == Long.SIZE ? 0 : hashed >>> minishardBits, shardBits), (int)
                low(hashed, minishardBits));
    }

    private static long low(long word, int bits) {
        return bits == Long.SIZE ? word : word & (1L << bits) - 1;
    }

    /** Returns the key of a shard of the scale at {@code path}. */
    String key(String path, long shard) {
        String hex = Long.toHexString(shard);
        int digits = (shardBits + 3) / 4;
        return StoreKeys.join(path, "0".repeat(Math.max(0, digits - hex.length())) + hex + ".shard");
    }

    /**
     * The place of a chunk.
     *
     * @param shard the number of the shard, unsigned
     * @param minishard the number of the minishard in it
     */
    record Slot(long shard, int minishard) {}
}
