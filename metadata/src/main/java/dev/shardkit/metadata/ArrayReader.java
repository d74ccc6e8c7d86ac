package dev.shardkit.metadata;

import dev.shardkit.json.Pointers;
import dev.shardkit.registry.Registry;
import dev.shardkit.registry.Resolver;
import dev.shardkit.spi.Config;
import dev.shardkit.spi.DocumentRemarks;
import dev.shardkit.spi.array.ChunkGrid;
import dev.shardkit.spi.array.ChunkType;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.codec.BytesToBytesCodec;
import dev.shardkit.spi.codec.Codec;
import dev.shardkit.spi.codec.CodecChain;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.codec.StorageTransformer;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.error.ZarrException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.FillAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Parses the document {@code zarr.json} of one array. Corrects some deviations of known writers, such as GDAL, and
 * notes each of them as a remark. An instance reads one document.
 */
final class ArrayReader {
    private static final Set<String> MEMBERS = Set.of(
            "zarr_format",
            "node_type",
            "shape",
            "data_type",
            "chunk_grid",
            "chunk_key_encoding",
            "fill_value",
            "codecs",
            "attributes",
            "storage_transformers",
            "dimension_names",
            DocumentRemarks.MEMBER);

    /**
     * The maximum number of chunk shapes for which codecs are checked on opening. For other shapes, errors appear on
     * reading.
     */
    private static final int MAX_SHAPES = 256;

    /** The members of compressors' configurations whose values are integers. */
    private static final Set<String> INTEGERS =
            Set.of("level", "clevel", "typesize", "blocksize", "elementsize", "preset", "acceleration");

    private static final Set<String> BLOSC_COMPRESSORS = Set.of("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd");

    private final Limits limits;
    private final List<String> ignoredCodecs = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private final Resolver extensions;

    /**
     * Whether the document was translated from a format such as Zarr v2. In Zarr v2, GDAL writes numbers and booleans
     * of compressors as texts.
     */
    private final boolean isTranslation;

    ArrayReader(Registry registry, Limits limits, boolean isTranslation) {
        this.limits = limits;
        this.isTranslation = isTranslation;
        this.extensions = registry.resolver(ignoredCodecs::add);
    }

    ArrayMetadata read(DocumentMembers members) {
        long[] shape = members.requiredLengths("shape");
        Json dataTypeJson = members.required("data_type");
        Json gridJson = members.required("chunk_grid");
        Json keysJson = members.required("chunk_key_encoding");
        Json fillJson = members.required("fill_value");
        Optional<List<Json>> codecItems = members.list("codecs");
        List<Json> codecsJson = codecForms(codecItems.orElseGet(List::of), members.pointerTo("codecs"), shape.length);
        Optional<List<Optional<String>>> names = dimensionNames(members, shape.length);
        Json.Obj attributes = members.objectAt("attributes").orElseGet(Json::object);
        Json.Obj otherMembers = members.otherMembers(MEMBERS);

        DataType dataType = extensions.dataType(dataTypeJson, members.pointerTo("data_type"));
        FillValue fill = guard(
                members.pointerTo("fill_value"),
                () -> dataType.parseFill(meantFill(fillJson, dataType, members.pointerTo("fill_value"))));
        ChunkGrid grid = extensions.chunkGrid(gridJson, members.pointerTo("chunk_grid"), shape);
        CodecChain codecs = codecs(codecsJson, members.pointerTo("codecs"), codecItems.isPresent(), dataType);
        ArrayMetadata.Builder builder = ArrayMetadata.builder(
                shape,
                dataType,
                grid,
                extensions.chunkKeyEncoding(keysJson, members.pointerTo("chunk_key_encoding")),
                codecs);
        builder.fillValue(fill).attributes(attributes).otherMembers(otherMembers);
        if (fillJson instanceof Json.Null) {
            // Written back as null: readers such as GDAL would take zero for the value of missing elements.
            builder.statedFill(fillJson);
        }
        List<StorageTransformer> transformers = storageTransformers(members);
        transformers.forEach(t -> guard(members.pointerTo("storage_transformers"), () -> {
            t.check(shape.clone());
            return t;
        }));
        builder.storageTransformers(transformers).ignoredCodecs(ignoredCodecs);
        remarks.addAll(DocumentRemarks.of(members.object()));
        builder.remarks(remarks);
        names.ifPresent(builder::dimensionNames);
        if (codecsJson.stream().anyMatch(ArrayReader::hasOptional)) {
            builder.statedCodecs(longForm(codecsJson));
        }
        if (grid.gridShape().length != shape.length) {
            throw new MetadataException(members.pointerTo("chunk_grid") + ": expected " + shape.length
                    + " dimensions as in the shape, found " + grid.gridShape().length);
        }
        checkBinding(members, shape, dataType, fill, grid, codecs);
        return builder.build();
    }

    /** Reads codecs. Arrays of numbers may lack the codec {@code bytes}, because GDAL before 3.11 wrote none. */
    private CodecChain codecs(List<Json> items, String pointer, boolean isStated, DataType dataType) {
        List<Codec> codecs = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            extensions.optionalCodec(items.get(i), pointer + "/" + i).ifPresent(codecs::add);
        }
        // An ignored codec may be the array-to-bytes codec.
        boolean isComplete = !ignoredCodecs.isEmpty() || !codecs.stream().allMatch(BytesToBytesCodec.class::isInstance);
        if (!isComplete && dataType.number().isPresent()) {
            Json.Obj configuration = dataType.elementSize().equals(OptionalInt.of(1))
                    ? Json.object()
                    : Json.object().with("endian", Json.of("little"));
            extensions
                    .optionalCodec(Json.extension("bytes", configuration), pointer)
                    .ifPresent(bytes -> codecs.add(0, bytes));
            remarks.add(
                    pointer + ": the codec bytes is missing, as in arrays of GDAL before 3.11; elements are read as "
                            + "little-endian");
        } else if (!isStated) {
            throw new MetadataException(pointer + ": is required, but missing");
        }
        return guard(pointer, () -> CodecChain.of(codecs));
    }

    /** Returns the codecs in the form of the specification. Leaves other forms whose meaning is not certain. */
    private List<Json> codecForms(List<Json> codecs, String pointer, int rank) {
        List<Json> forms = new ArrayList<>();
        for (int i = 0; i < codecs.size(); i++) {
            forms.add(codecForm(codecs.get(i), pointer + "/" + i, rank));
        }
        return forms;
    }

    private Json codecForm(Json codec, String pointer, int rank) {
        if (!(codec instanceof Json.Obj object)
                || !(object.get("configuration").orElseGet(Json.Null::new) instanceof Json.Obj configuration)
                || !(object.get("name").orElseGet(Json.Null::new) instanceof Json.Str name)) {
            return codec;
        }
        Json.Obj changed = configuration;
        if (name.value().equals("transpose")) {
            changed = permutation(configuration, pointer, rank);
        } else if (name.value().equals("sharding_indexed")
                && configuration.get("codecs").orElseGet(Json.Null::new) instanceof Json.Arr inner) {
            changed = configuration.with(
                    "codecs", new Json.Arr(codecForms(inner.items(), pointer + "/configuration/codecs", rank)));
        } else if (isTranslation && isCompressor(name.value())) {
            changed = withoutTexts(name.value(), configuration, pointer + "/configuration");
        }
        return changed == configuration ? codec : object.with("configuration", changed);
    }

    /** Returns a permutation in place of the orders {@code "C"} and {@code "F"} of drafts. */
    private Json.Obj permutation(Json.Obj configuration, String pointer, int rank) {
        Json order = configuration.get("order").orElseGet(Json.Null::new);
        if (!order.equals(Json.of("C")) && !order.equals(Json.of("F"))) {
            return configuration;
        }
        long[] permutation = new long[rank];
        for (int d = 0; d < rank; d++) {
            permutation[d] = order.equals(Json.of("C")) ? d : rank - 1 - d;
        }
        remarks.add(pointer + ": the order " + order + " of a draft of the specification is read as "
                + Json.of(permutation));
        return configuration.with("order", Json.of(permutation));
    }

    private static boolean isCompressor(String name) {
        return Set.of("zstd", "gzip", "blosc").contains(name) || name.startsWith("numcodecs.");
    }

    /**
     * Returns the configuration of a compressor with numbers, booleans and names of blosc in place of the texts that
     * GDAL writes into Zarr v2 for options of creation, such as {@code ZSTD_CHECKSUM=NO} and {@code BLOSC_SHUFFLE=BIT}.
     */
    private Json.Obj withoutTexts(String codec, Json.Obj configuration, String pointer) {
        Json.Obj changed = configuration;
        for (Map.Entry<String, Json> member : configuration.members().entrySet()) {
            if (member.getValue() instanceof Json.Str text) {
                Json value = interpret(codec, member.getKey(), text);
                if (!value.equals(text)) {
                    remarks.add(pointer + "/" + member.getKey() + ": the text " + text + " is read as " + value);
                    changed = changed.with(member.getKey(), value);
                }
            }
        }
        return changed;
    }

    /** Returns the value that the text of a member stands for; the text itself if its meaning is unclear. */
    private static Json interpret(String codec, String member, Json.Str text) {
        String value = text.value().toLowerCase(Locale.ROOT);
        if (member.equals("checksum")) {
            return switch (value) {
                case "yes", "true" -> Json.of(true);
                case "no", "false" -> Json.of(false);
                default -> text;
            };
        } else if (INTEGERS.contains(member)) {
            return text.value().matches("-?(0|[1-9][0-9]{0,8})") ? new Json.Num(text.value()) : text;
        } else if (codec.equals("blosc") && member.equals("shuffle")) {
            return switch (value) {
                case "none" -> Json.of("noshuffle");
                case "byte" -> Json.of("shuffle");
                case "bit" -> Json.of("bitshuffle");
                default -> text;
            };
        }
        return codec.equals("blosc") && member.equals("cname") && BLOSC_COMPRESSORS.contains(value)
                ? Json.of(value)
                : text;
    }

    /**
     * Returns the fill value that a writer meant. For integers, {@code 5.0} is read as {@code 5}. For integers and
     * complex numbers, {@code null} is read as zero: GDAL (3.12, 3.13) writes it into arrays without a nodata value.
     * Translations replace {@code null} themselves.
     */
    private Json meantFill(Json fill, DataType dataType, String pointer) {
        boolean isIntegerType =
                dataType.number().filter(IntegerFormat.class::isInstance).isPresent();
        boolean mayBeNull = isIntegerType || dataType.name().startsWith("complex");
        if (fill instanceof Json.Null && mayBeNull && !isTranslation) {
            Json zero = dataType.formatFill(dataType.defaultFill());
            remarks.add(pointer + ": null is read as " + zero);
            return zero;
        }
        if (!isIntegerType
                || !(fill instanceof Json.Num number)
                || !number.lexeme().matches("-?[0-9]+[.]0+")) {
            return fill;
        }
        Optional<Json> integer = FillAttribute.of(Json.of(dataType.name()), fill);
        integer.ifPresent(json -> remarks.add(pointer + ": " + fill + " is read as the integer " + json));
        return integer.orElse(fill);
    }

    private List<StorageTransformer> storageTransformers(DocumentMembers members) {
        List<Json> items = members.list("storage_transformers").orElseGet(List::of);
        List<StorageTransformer> transformers = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            transformers.add(
                    extensions.storageTransformer(items.get(i), members.pointerTo("storage_transformers") + "/" + i));
        }
        return transformers;
    }

    private static Optional<List<Optional<String>>> dimensionNames(DocumentMembers members, int rank) {
        // zarr-python and others write null for an array without names, as for a list of nulls.
        if (members.get("dimension_names").equals(Optional.of(new Json.Null()))) {
            return Optional.empty();
        }
        return members.list("dimension_names").map(items -> {
            if (items.size() != rank) {
                throw new MetadataException(members.pointerTo("dimension_names") + ": expected " + rank
                        + " names or nulls as in the shape, found " + items.size());
            }
            List<Optional<String>> names = new ArrayList<>();
            for (int d = 0; d < rank; d++) {
                Json item = items.get(d);
                if (!(item instanceof Json.Str) && !(item instanceof Json.Null)) {
                    throw Config.expected(members.pointerTo("dimension_names") + "/" + d, "a string or null", item);
                }
                names.add(item instanceof Json.Str s ? Optional.of(s.value()) : Optional.empty());
            }
            return names;
        });
    }

    /**
     * Returns whether any codec, including those of inner chunks, has {@code must_understand: false}. The written
     * document must repeat it.
     */
    private static boolean hasOptional(Json json) {
        if (json instanceof Json.Obj o) {
            return o.get("must_understand").equals(Optional.of(new Json.Bool(false)))
                    || o.members().values().stream().anyMatch(ArrayReader::hasOptional);
        }
        return json instanceof Json.Arr a && a.items().stream().anyMatch(ArrayReader::hasOptional);
    }

    /** Returns codecs as objects, also those that are stated by their name only. */
    private static Json longForm(List<Json> codecs) {
        return new Json.Arr(codecs.stream()
                .map(c -> c instanceof Json.Str name ? Json.extension(name.value(), Json.object()) : c)
                .toList());
    }

    /** Binds the codecs to the chunk shapes, so that contradictions fail on opening instead of reading. */
    private void checkBinding(
            DocumentMembers members,
            long[] shape,
            DataType dataType,
            FillValue fill,
            ChunkGrid grid,
            CodecChain codecs) {
        // A dimension of length 0 has no chunk. Length 1 in its place gives one, of the shape that later chunks have.
        long[] filled = Arrays.stream(shape).map(s -> Math.max(1, s)).toArray();
        List<long[]> chunkShapes;
        if (Arrays.equals(filled, shape)) {
            chunkShapes = guard(members.pointerTo("chunk_grid"), () -> grid.sampleShapes(MAX_SHAPES));
        } else {
            try {
                chunkShapes = grid.resize(filled).sampleShapes(MAX_SHAPES);
            } catch (RuntimeException e) {
                return; // The grid has no chunk in a dimension of length 0, so there is no chunk shape to check.
            }
        }
        for (long[] chunkShape : chunkShapes) {
            guard(members.pointerTo("codecs"), () -> codecs.bind(ChunkType.of(dataType, fill, chunkShape), limits));
        }
    }

    /** Runs code of a plug-in, and adds the pointer to its failures. */
    private static <T> T guard(String pointer, Supplier<T> call) {
        try {
            return call.get();
        } catch (ZarrException e) {
            throw Pointers.located(pointer, e);
        } catch (ArithmeticException e) {
            throw new MetadataException(pointer + ": sizes beyond 2^63-1", e);
        } catch (RuntimeException e) {
            throw new MetadataException(pointer + ": cannot be used with this configuration: " + e, e);
        } catch (LinkageError | AssertionError | StackOverflowError e) {
            throw new UnsupportedException(pointer + ": a plug-in that it needs failed: " + e, e);
        }
    }
}
