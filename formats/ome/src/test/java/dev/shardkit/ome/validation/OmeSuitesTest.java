package dev.shardkit.ome.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The official test cases of the NGFF specification ({@code conformance-tests/tools/make_ngff.py}). */
class OmeSuitesTest {
    /**
     * The specification of 0.6rc0 and its schemas demand objects as {@code input} and {@code output}. These cases still
     * have the strings of an earlier draft and are called valid. The specification's own validator rejects them too.
     */
    private static final Set<String> OUTDATED = new TreeSet<>(Set.of(
            "zarr/spec/valid/image/custom_type_axes",
            "zarr/spec/valid/image/invalid_axis_units",
            "zarr/spec/valid/image/mismatch_axes_units",
            "zarr/spec/valid/image/missing_name",
            "zarr/spec/valid/image/untyped_axes",
            "zarr/strict/valid/image/image",
            "zarr/strict/valid/image/image_metadata",
            "zarr/strict/valid/image/image_omero",
            "zarr/strict/valid/image/multiscales_example",
            "zarr/strict/valid/image/multiscales_transformations"));

    @ParameterizedTest
    @CsvSource({"0.4, 92", "0.5, 86", "0.6rc0, 228"})
    void cases_areJudgedAsStated(String version, int count) throws IOException {
        List<Json> cases;
        try (InputStream in = OmeSuitesTest.class.getResourceAsStream("cases-" + version + ".json")) {
            Json.Obj document = (Json.Obj) JsonDocuments.read(in.readAllBytes(), Limits.defaults());
            cases = ((Json.Arr) document.get("cases").orElseThrow()).items();
        }
        assertEquals(count, cases.size());
        TreeSet<String> wrong = new TreeSet<>();
        for (Json one : cases) {
            Json.Obj test = (Json.Obj) one;
            boolean isValid = ((Json.Bool) test.get("valid").orElseThrow()).value();
            List<OmeFinding> errors = errors(test);
            if (errors.isEmpty() != isValid) {
                wrong.add(((Json.Str) test.get("name").orElseThrow()).value());
            }
        }
        assertEquals(version.equals("0.6rc0") ? OUTDATED : new TreeSet<>(), wrong);
    }

    private static List<OmeFinding> errors(Json.Obj test) {
        String text = ((Json.Str) test.get("text").orElseThrow()).value();
        boolean isStrict = test.get("strict").equals(Optional.of(Json.of(true)));
        try {
            Json.Obj document = (Json.Obj) JsonDocuments.read(text, Limits.defaults());
            Json.Obj attributes = (Json.Obj) document.get("attributes").orElse(document);
            return OmeValidation.checkMetadata(
                            attributes,
                            "case",
                            isStrict ? SchemaSet.Strictness.RECOMMENDED : SchemaSet.Strictness.REQUIRED)
                    .stream()
                    .filter(f -> f.severity() == OmeFinding.Severity.ERROR)
                    .toList();
        } catch (MetadataException e) {
            return List.of(new OmeFinding(OmeFinding.Severity.ERROR, "case", "", "JSON", e.getMessage()));
        }
    }
}
