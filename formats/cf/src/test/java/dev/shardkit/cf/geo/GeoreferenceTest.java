package dev.shardkit.cf.geo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.geo.Georeference.Registration;
import dev.shardkit.metadata.JsonDocuments;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes of the conventions, of rioxarray and of GDAL, and those that contradict them. */
class GeoreferenceTest {
    private static final AffineTransform TEN_METRES = new AffineTransform(10, 0, 500_000, 0, -10, 5_000_000);
    private static final BoundingBox AREA = new BoundingBox(500_000, 4_999_970, 500_040, 5_000_000);

    /** The declarations that rioxarray 0.23 writes. */
    private static final String DECLARED = "\"zarr_conventions\":["
            + "{\"uuid\":\"f17cb550-5864-4468-aeb7-f3180cfb622f\",\"name\":\"proj:\"},"
            + "{\"uuid\":\"689b58e2-cf7b-45e0-9fff-9cfc0883d6b4\",\"name\":\"spatial:\"}]";

    private final ZarrGroup group =
            Zarr.createGroup(MemoryStore.create(), "", Json.object(), IfExists.REFUSE, ZarrOptions.defaults());

    private static Json.Obj json(String text) {
        return (Json.Obj) JsonDocuments.read(text, Limits.defaults());
    }

    private ZarrArray array(String attributes) {
        return group.createArray(
                "t",
                ArraySpec.of("float32", 2, 3, 4)
                        .withDimensionNames("time", "y", "x")
                        .withAttributes(json(attributes)),
                IfExists.REFUSE);
    }

    private static void assertNote(String expected, List<String> notes) {
        assertTrue(notes.stream().anyMatch(note -> note.contains(expected)), () -> expected + " in " + notes);
    }

    @Test
    void conventions_areRead() {
        ZarrArray array = array("{" + DECLARED + ",\"proj:code\":\"EPSG:32633\",\"proj:wkt2\":null,"
                + "\"spatial:dimensions\":[\"y\",\"x\"],\"spatial:shape\":[3,4],"
                + "\"spatial:transform\":[10.0,0.0,500000.0,0.0,-10.0,5000000.0]}");
        Georeference found = Georeference.of(array, group);
        assertEquals(Optional.of(Crs.ofCode("EPSG:32633")), found.crs());
        assertEquals(Optional.of(TEN_METRES), found.transform());
        assertEquals(List.of("y", "x"), found.dimensions());
        assertEquals(List.of(3L, 4L), found.shape());
        assertEquals(Optional.of(AREA), found.boundingBox());
        assertEquals(List.of(), found.notes());
        assertEquals(Optional.of(500_015.0), found.x(2, 1));
        assertEquals(Optional.of(4_999_975.0), found.y(2, 1));
        assertEquals(Optional.of(2L), found.row(500_015, 4_999_975));
        assertEquals(Optional.of(-1L), found.column(499_999, 5_000_000));
    }

    /** Attributes of the group are defaults; those of the array replace them, the reference system as a whole. */
    @Test
    void attributesOfTheGroup_areDefaults() {
        ZarrGroup parent = group.replaceAttributes(json("{" + DECLARED + ",\"proj:code\":\"EPSG:4326\","
                + "\"spatial:dimensions\":[\"y\",\"x\"],\"spatial:registration\":\"node\"}"));
        ZarrArray array = array("{\"spatial:transform\":[0.5,0,10,0,-0.5,50],\"proj:wkt2\":\"PROJCRS[\\\"mine\\\"]\"}");
        Georeference found = Georeference.of(array, parent);
        assertEquals(Optional.of(Crs.ofWkt("PROJCRS[\"mine\"]")), found.crs());
        assertEquals("mine", found.crs().get().toString());
        assertEquals(Registration.NODE, found.registration());
        assertEquals(Optional.of(new BoundingBox(10, 49, 11.5, 50)), found.boundingBox());
        assertEquals(Optional.of(10.5), found.x(0, 1));
        assertEquals(Optional.of(1L), found.column(10.6, 50));
        assertEquals(List.of(), found.notes());
        assertTrue(Georeference.of(array).dimensions().isEmpty());
    }

    /** As rioxarray 0.23 writes them by default. */
    @Test
    void gridMappingOfRioxarray_isRead() {
        group.createArray(
                "spatial_ref",
                ArraySpec.of("int64", new long[0])
                        .withAttributes(Json.of(Map.of(
                                "crs_wkt", "PROJCS[\"WGS 84 / UTM zone 33N\"]",
                                "GeoTransform", "500000.0 10.0 0.0 5000000.0 0.0 -10.0"))),
                IfExists.REFUSE);
        Georeference found = Georeference.of(array("{\"grid_mapping\":\"spatial_ref\"}"), group);
        assertEquals("WGS 84 / UTM zone 33N", found.crs().get().toString());
        assertEquals(Optional.of(TEN_METRES), found.transform());
        assertEquals(Optional.of(AREA), found.boundingBox());
        assertEquals(List.of(), found.notes());
    }

    /** A projection of the CF conventions by its parameters alone, as of a regional climate model. */
    @Test
    void gridMappingWithoutWkt_hasANote() {
        group.createArray(
                "rotated_pole",
                ArraySpec.of("int8", new long[0])
                        .withAttributes(Json.of(Map.of(
                                "grid_mapping_name", "rotated_latitude_longitude", "grid_north_pole_latitude", 39.25))),
                IfExists.REFUSE);
        Georeference found = Georeference.of(array("{\"grid_mapping\":\"rotated_pole\"}"), group);
        assertTrue(found.crs().isEmpty());
        assertEquals(
                List.of("grid_mapping_name is ignored: expected also crs_wkt or spatial_ref, found "
                        + "\"rotated_latitude_longitude\""),
                found.notes());
    }

    /** As GDAL 3.12 writes it. */
    @Test
    void attributeOfGdal_isRead() {
        Georeference found = Georeference.of(
                array("{\"_CRS\":{\"wkt\":\"PROJCRS[\\\"UTM\\\"]\",\"projjson\":{\"name\":\"UTM\"}}}"), group);
        assertEquals(Optional.of("PROJCRS[\"UTM\"]"), found.crs().get().wkt());
        assertEquals(
                Optional.of(Json.of(Map.of("name", "UTM"))), found.crs().get().projJson());
        assertTrue(found.transform().isEmpty());
    }

    @Test
    void whatIsWritten_isReadAgain_andOtherAttributesStay() {
        Json.Obj before = json("{\"units\":\"K\",\"proj:code\":\"EPSG:1\",\"zarr_conventions\":[{\"name\":\"mine\"}]}");
        Georeference written =
                Georeference.of(Crs.ofCode("EPSG:32633"), "y", "x", TEN_METRES).withShape(3, 4);
        Json.Obj attributes = written.writeTo(before);
        Georeference found = Georeference.of(array(attributes.toString()), group);
        assertEquals(written.crs(), found.crs());
        assertEquals(written.transform(), found.transform());
        assertEquals(Optional.of(AREA), found.boundingBox());
        assertEquals(List.of(), found.notes());
        assertEquals(Optional.of(Json.of("K")), attributes.get("units"));
        assertEquals(
                5, ((Json.Arr) attributes.get("zarr_conventions").get()).items().size());
        assertEquals(attributes, found.writeTo(attributes));
    }

    @Test
    void attributesWithoutADeclaration_areReadWithANote() {
        Georeference found = Georeference.of(array("{\"proj:code\":\"EPSG:4326\"}"), group);
        assertEquals("EPSG:4326", found.crs().get().toString());
        assertNote("zarr_conventions does not declare", found.notes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'\"proj:code\":7'|proj:code is ignored: expected a string",
                "'\"proj:code\":\"4326\"'|proj:code is ignored: expected authority and code",
                "'\"proj:projjson\":[1]'|proj:projjson is ignored: expected an object",
                "'\"spatial:dimensions\":[\"y\"]'|spatial:dimensions is ignored: expected two names",
                "'\"spatial:dimensions\":[\"lat\",\"x\"]'|spatial:dimensions is ignored: expected names of dimensions",
                "'\"spatial:transform\":[1,0,0,0,1]'|spatial:transform is ignored: expected 6 numbers",
                "'\"spatial:transform\":[1,1,0,1,1,0]'|expected a transform that can be inverted",
                "'\"spatial:transform\":[1e999,1,0,1,1,0]'|spatial:transform is ignored",
                "'\"spatial:transform\":[1e300,0,0,0,1e300,0]'|expected a transform that can be inverted",
                "'\"spatial:transform_type\":\"rpc\",\"spatial:transform\":[1,0,0,0,1,0]'|expected the transform type affine",
                "'\"spatial:bbox\":[0,5,1,4]'|spatial:bbox is ignored: expected finite numbers with minY <= maxY",
                "'\"spatial:shape\":[3,-4]'|spatial:shape is ignored: expected two lengths",
                "'\"spatial:shape\":[99999999999999999999,4]'|spatial:shape is ignored: expected two lengths",
                "'\"spatial:dimensions\":[\"y\",\"x\"],\"spatial:shape\":[4,3]'|expected the shape of the array",
                "'\"spatial:registration\":\"edge\"'|expected node or pixel",
                "'\"grid_mapping\":\"../up\"'|grid_mapping is ignored"
            })
    void attributesThatContradictTheConventions_areIgnoredWithANote(String attributes, String expected) {
        Georeference found = Georeference.of(array("{" + DECLARED + "," + attributes + "}"), group);
        assertNote(expected, found.notes());
        assertTrue(found.crs().isEmpty() && found.transform().isEmpty(), found.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1 2 3", "a b c d e f", "1 2 3 4 5 6 7", "NaN 1 0 0 0 1"})
    void geoTransformThatIsNone_isIgnoredWithANote(String text) {
        group.createArray(
                "crs",
                ArraySpec.of("int8", new long[0]).withAttributes(Json.of(Map.of("GeoTransform", text))),
                IfExists.REFUSE);
        Georeference found = Georeference.of(array("{\"grid_mapping\":\"crs: y x\"}"), group);
        assertTrue(found.transform().isEmpty());
        assertNote("GeoTransform is ignored", found.notes());
    }

    @Test
    void gridThatEndsBeyondTheLargestNumber_hasNoBoundingBox() {
        Georeference found = Georeference.of(
                array("{" + DECLARED + ",\"spatial:dimensions\":[\"y\",\"x\"],"
                        + "\"spatial:transform\":[1e308,0,0,0,1e-5,0]}"),
                group);
        assertTrue(found.transform().isPresent());
        assertEquals(Optional.empty(), found.boundingBox());
    }

    /** Transform and shape of a group with a pyramid are those of its finest level. */
    @Test
    void transformOfAPyramid_isNotThatOfEachLevel() {
        ZarrGroup parent = group.replaceAttributes(json("{" + DECLARED + ",\"proj:code\":\"EPSG:4326\","
                + "\"spatial:dimensions\":[\"y\",\"x\"],\"spatial:transform\":[1,0,0,0,1,0],"
                + "\"multiscales\":{\"layout\":[{\"asset\":\"t\"}]}}"));
        Georeference found = Georeference.of(array("{}"), parent);
        assertEquals("EPSG:4326", found.crs().get().toString());
        assertEquals(Optional.empty(), found.transform());
        assertEquals(
                Optional.empty(),
                Overviews.of(parent).get().levels().get(0).georeference().transform());
    }

    @Test
    void transform_isInvertedByRowAndColumn() {
        AffineTransform rotated = new AffineTransform(2, 1, 100, -1, 3, 50);
        assertEquals(7, rotated.row(rotated.x(7, 4), rotated.y(7, 4)), 1e-12);
        assertEquals(4, rotated.column(rotated.x(7, 4), rotated.y(7, 4)), 1e-12);
        assertThrows(IllegalArgumentException.class, () -> new AffineTransform(0, 0, 1, 0, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> Crs.ofCode("4326"));
        assertThrows(
                IllegalArgumentException.class, () -> new Crs(Optional.empty(), Optional.empty(), Optional.empty()));
    }
}
