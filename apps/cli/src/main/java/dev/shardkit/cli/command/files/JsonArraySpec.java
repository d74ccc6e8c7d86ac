package dev.shardkit.cli.command.files;

import dev.shardkit.ArraySpec;
import dev.shardkit.Codecs;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses the JSON object that describes the array of {@code adopt}. */
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
     * @param mayLackCodecs whether {@code codecs} may be missing, because the file holds unencoded elements; without
     *     codecs, they are little-endian
     */
    static ArraySpec parse(Json.Obj members, boolean mayLackCodecs) {
        for (String name : members.members().keySet()) {
            if (!KNOWN.contains(name)) {
                throw new UsageException(
                        "--array: expected members " + KNOWN.stream().sorted().toList() + ", found \"" + name + "\"");
            }
        }
        long[] shape = parseLengths(members, "shape").orElseThrow(() -> missingMember("shape"));
        Json type = members.get("data_type").orElseThrow(() -> missingMember("data_type"));
        long[] chunk = parseLengths(members, "chunk_shape").orElseThrow(() -> missingMember("chunk_shape"));
        if (chunk.length != shape.length) {
            throw new UsageException(
                    "--array: expected a chunk_shape of " + shape.length + " lengths, found " + chunk.length);
        }
        long[] shards = parseLengths(members, "shard_shape").orElseGet(() -> coveringShape(shape, chunk));
        ArraySpec spec = ArraySpec.of(type, shape).withChunkShape(chunk).withShardShape(shards);
        if (members.get("codecs").isPresent()) {
            // The size of an element, here 1, only tells blosc how to encode. The adopted chunks are encoded already.
            spec = spec.withCodecs(Options.codecs(
                    "--array: codecs", members.get("codecs").get().toString(), () -> 1));
        } else if (mayLackCodecs) {
            spec = spec.withCodecs(Codecs.bytesLittleEndian());
        } else {
            throw missingMember("codecs");
        }
        Optional<Json> fill = members.get("fill_value");
        spec = fill.isPresent() ? spec.withFillValue(fill.get()) : spec;
        Optional<Json> names = members.get("dimension_names");
        if (names.isPresent()) {
            spec = spec.withDimensionNames(parseNames(names.get()));
        }
        Json attributes = members.get("attributes").orElse(Json.object());
        if (!(attributes instanceof Json.Obj object)) {
            throw new UsageException("--array: attributes: expected an object, found " + attributes);
        }
        return spec.withAttributes(object);
    }

    private static UsageException missingMember(String name) {
        return new UsageException("--array: expected a member " + name);
    }

    /** Returns the shape of one shard that covers the whole array: the shape, rounded up to whole chunks. */
    private static long[] coveringShape(long[] shape, long[] chunk) {
        long[] shard = new long[shape.length];
        for (int d = 0; d < shape.length; d++) {
            long chunkLength = Math.max(1, chunk[d]);
            shard[d] = Math.max(1, Math.floorDiv(Math.addExact(shape[d], chunkLength - 1), chunkLength)) * chunkLength;
        }
        return shard;
    }

    private static Optional<long[]> parseLengths(Json.Obj members, String name) {
        return members.get(name).map(json -> {
            if (!(json instanceof Json.Arr list)) {
                throw new UsageException("--array: " + name + ": expected a list of lengths");
            }
            return list.items().stream()
                    .mapToLong(item -> parseNumber(item, name))
                    .toArray();
        });
    }

    private static long parseNumber(Json json, String name) {
        try {
            if (json instanceof Json.Num number && number.isInteger()) {
                return Long.parseLong(number.lexeme());
            }
        } catch (NumberFormatException e) {
            // the exception below reports it
        }
        throw new UsageException("--array: " + name + ": expected integers of 64 bits, found " + json);
    }

    private static List<Optional<String>> parseNames(Json json) {
        if (!(json instanceof Json.Arr list)) {
            throw new UsageException("--array: dimension_names: expected a list");
        }
        return list.items().stream().map(JsonArraySpec::parseName).toList();
    }

    private static Optional<String> parseName(Json json) {
        if (json instanceof Json.Str name) {
            return Optional.of(name.value());
        } else if (json instanceof Json.Null) {
            return Optional.empty();
        }
        throw new UsageException("--array: dimension_names: expected texts or null, found " + json);
    }
}
