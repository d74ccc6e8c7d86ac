package dev.shardkit.cli.command;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The array that {@code adopt} creates, from a JSON object. */
final class JsonArraySpec {
    private static final Set<String> KNOWN = Set.of(
            "shape",
            "data_type",
            "chunk_shape",
            "shard_shape",
            "codecs",
            "fill_value",
            "dimension_names",
            "attributes");

    private JsonArraySpec() {}

    /**
     * Returns the specification of the array.
     *
     * @param unencoded whether the file holds plain elements: little-endian unless codecs say otherwise
     */
    static ArraySpec spec(Json.Obj members, boolean unencoded) {
        for (String name : members.members().keySet()) {
            if (!KNOWN.contains(name)) {
                throw new WrongUse(
                        "--array: expected members " + KNOWN.stream().sorted().toList() + ", found \"" + name + "\"");
            }
        }
        long[] shape = lengths(members, "shape").orElseThrow(() -> missing("shape"));
        Json type = members.get("data_type").orElseThrow(() -> missing("data_type"));
        long[] chunk = lengths(members, "chunk_shape").orElseThrow(() -> missing("chunk_shape"));
        if (chunk.length != shape.length) {
            throw new WrongUse(
                    "--array: expected a chunk_shape of " + shape.length + " lengths, found " + chunk.length);
        }
        long[] shards = lengths(members, "shard_shape").orElseGet(() -> one(shape, chunk));
        ArraySpec spec = ArraySpec.of(type, shape).withChunkShape(chunk).withShardShape(shards);
        if (members.get("codecs").isPresent()) {
            spec = spec.withCodecs(Options.codecs(
                    "--array: codecs", members.get("codecs").get().toString(), () -> 1));
        } else if (unencoded) {
            spec = spec.withCodecs(Codecs.bytesLittleEndian());
        } else {
            throw missing("codecs");
        }
        Optional<Json> fill = members.get("fill_value");
        spec = fill.isPresent() ? spec.withFillValue(fill.get()) : spec;
        Optional<Json> names = members.get("dimension_names");
        if (names.isPresent()) {
            spec = spec.withDimensionNames(names(names.get()));
        }
        return members.get("attributes").orElse(Json.object()) instanceof Json.Obj a ? spec.withAttributes(a) : spec;
    }

    private static WrongUse missing(String name) {
        return new WrongUse("--array: expected a member " + name);
    }

    /** Returns the shard shape that covers the whole array. */
    private static long[] one(long[] shape, long[] chunk) {
        long[] shard = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            long n = Math.max(1, chunk[d]);
            shard[d] = Math.max(1, Math.floorDiv(Math.addExact(shape[d], n - 1), n)) * n;
        }
        return shard;
    }

    private static Optional<long[]> lengths(Json.Obj members, String name) {
        return members.get(name).map(json -> {
            if (!(json instanceof Json.Arr list)) {
                throw new WrongUse("--array: " + name + ": expected a list of lengths");
            }
            return list.items().stream().mapToLong(item -> number(item, name)).toArray();
        });
    }

    private static long number(Json json, String name) {
        try {
            if (json instanceof Json.Num n && n.isInteger()) {
                return Long.parseLong(n.lexeme());
            }
        } catch (NumberFormatException e) {
            // the error below reports it
        }
        throw new WrongUse("--array: " + name + ": expected integers of 64 bits, found " + json);
    }

    private static List<Optional<String>> names(Json json) {
        if (!(json instanceof Json.Arr list)) {
            throw new WrongUse("--array: dimension_names: expected a list");
        }
        return list.items().stream()
                .map(item -> item instanceof Json.Str s ? Optional.of(s.value()) : Optional.<String>empty())
                .toList();
    }
}
