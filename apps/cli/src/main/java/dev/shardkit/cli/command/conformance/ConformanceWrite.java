package dev.shardkit.cli.command.conformance;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.NdArray;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.command.write.RawFile;
import dev.shardkit.cli.option.Region;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Executes the write requests of the conformance suite for {@link ConformanceBatchCommand}. */
final class ConformanceWrite {
    private ConformanceWrite() {}

    /** Writes {@code values} to an array or a box of it. Creates the array first if {@code metadata} is given. */
    static void write(
            String location, @Nullable Json metadata, @Nullable String selection, Path values, ZarrOptions options)
            throws IOException {
        try (ZarrArray array = metadata != null
                ? Zarr.createArray(location, spec((Json.Obj) metadata), IfExists.REFUSE, options)
                : Zarr.openArray(location, options)) {
            Region region = Region.parseWithSteps(selection, array);
            Box box = region.box();
            if (array.dataType().carrier().isVariable()) {
                array.write(box, readVariable(array, box, values));
                return;
            }
            try (RawFile file = RawFile.open(array, region, values, values.toString())) {
                file.write();
            }
        }
    }

    /** Returns the specification of the array with the metadata of a {@code zarr.json}. */
    private static ArraySpec spec(Json.Obj metadata) {
        long[] shape = requireItems(metadata, "shape").stream()
                .mapToLong(length -> Long.parseLong(length.toString()))
                .toArray();
        ArraySpec spec = ArraySpec.of(requireMember(metadata, "data_type"), shape)
                .withChunkGrid(requireMember(metadata, "chunk_grid"))
                .withChunkKeyEncoding(requireMember(metadata, "chunk_key_encoding"))
                .withFillValue(requireMember(metadata, "fill_value"))
                .withCodecs(requireItems(metadata, "codecs").toArray(Json[]::new));
        if (metadata.get("attributes").isPresent()) {
            spec = spec.withAttributes((Json.Obj) requireMember(metadata, "attributes"));
        }
        if (metadata.get("dimension_names").isPresent()) {
            List<Optional<String>> names = new ArrayList<>();
            for (Json name : requireItems(metadata, "dimension_names")) {
                names.add(name instanceof Json.Str s ? Optional.of(s.value()) : Optional.empty());
            }
            spec = spec.withDimensionNames(names);
        }
        return spec;
    }

    private static Json requireMember(Json.Obj object, String name) {
        return object.get(name).orElseThrow();
    }

    private static List<Json> requireItems(Json.Obj object, String name) {
        return ((Json.Arr) requireMember(object, name)).items();
    }

    /** Reads elements of variable size from a JSON document: texts, or bytes in base64. */
    private static NdArray readVariable(ZarrArray array, Box box, Path file) throws IOException {
        Json.Obj document = (Json.Obj) JsonReader.read(Files.readAllBytes(file), Limits.defaults());
        List<String> texts = requireItems(document, "values").stream()
                .map(value -> ((Json.Str) value).value())
                .toList();
        Object values = array.dataType().carrier() == Carrier.STRING
                ? texts.toArray(String[]::new)
                : texts.stream().map(text -> Base64.getDecoder().decode(text)).toArray(byte[][]::new);
        return NdArray.of(array.dataType(), box.shape(), values);
    }
}
