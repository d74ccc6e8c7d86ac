package dev.shardkit.it.formats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.shardkit.ArraySpec;
import dev.shardkit.IfExists;
import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrGroup;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cf.CfDataset;
import dev.shardkit.cf.CfRole;
import dev.shardkit.cf.CfValues;
import dev.shardkit.cf.CfVariable;
import dev.shardkit.hdf5.Hdf5References;
import dev.shardkit.it.Samples;
import dev.shardkit.maintenance.copy.Copy;
import dev.shardkit.spi.json.Json;
import dev.shardkit.store.Store;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of the CF conventions in formats other than Zarr, which {@code CfSamplesTest} has. */
class CfFormatsTest {
    private static final ZarrOptions OPTIONS = ZarrOptions.defaults();

    @TempDir
    Path folder;

    private static void write(
            ZarrGroup group, String name, String type, Object values, Map<String, ?> attributes, String... names) {
        long[] shape = names.length == 2 ? new long[] {2, 3} : new long[] {names[0].equals("time") ? 2 : 3};
        ZarrArray array = group.createArray(
                name,
                ArraySpec.of(type, shape).withDimensionNames(names).withAttributes(Json.of(attributes)),
                IfExists.REFUSE);
        array.write(array.domain(), values, 0);
    }

    /** N5 has the names of dimensions in the attribute {@code axes}, in the reverse order. */
    @Test
    void datasetsOfN5_areReadByTheirNames() throws IOException {
        String zarr = folder.resolve("data.zarr").toString();
        String n5 = "n5:" + folder.resolve("data.n5");
        try (ZarrGroup group = Zarr.createGroup(zarr, Json.object(), IfExists.REFUSE, OPTIONS)) {
            write(group, "time", "int32", new int[] {0, 6}, Map.of("units", "hours since 2020-03-01"), "time");
            write(group, "lat", "float64", new double[] {50, 40, 30}, Map.of("units", "degrees_north"), "lat");
            write(
                    group,
                    "t",
                    "int16",
                    new short[] {0, 1, 2, 3, -1, 5},
                    Map.of("scale_factor", 0.5, "add_offset", 270, "_FillValue", -1),
                    "time",
                    "lat");
            for (String name : List.of("time", "lat", "t")) {
                try (Store target = Zarr.openStore(n5 + "/" + name, OPTIONS)) {
                    Copy.of(group.array(name)).to(target, OPTIONS);
                }
            }
        }
        for (String location : List.of(zarr, n5)) {
            try (CfDataset dataset = CfDataset.open(location)) {
                assertEquals(List.of(), dataset.notes(), location);
                assertEquals(CfRole.COORDINATE, dataset.variable("lat").role(), location);
                CfVariable t = dataset.variable("t");
                assertEquals(List.of("time", "lat"), t.dimensions());
                CfValues south = t.select()
                        .at("time", "2020-03-01T06:00")
                        .range("lat", 45, 25)
                        .read();
                assertArrayEquals(new double[] {Double.NaN, 272.5}, south.doubles());
            }
        }
    }

    @Test
    void filesOfHdf5_andTheirReferences_areReadByTheirDimensionScales() throws IOException {
        Path file = folder.resolve("meaning.h5");
        try (InputStream in = Samples.class.getResourceAsStream("meaning.h5")) {
            Files.copy(in, file);
        }
        Path document = folder.resolve("document.json");
        try (Store store = Zarr.openStore(folder.toString(), OPTIONS)) {
            Json refs = Hdf5References.of(store, "meaning.h5", "", "meaning.h5").references();
            Files.writeString(
                    document,
                    Json.object().with("version", Json.of(1)).with("refs", refs).toString());
        }
        for (String location : List.of(file.toString(), "reference:" + document)) {
            try (ZarrGroup root = Zarr.openGroup(location)) {
                CfDataset dataset =
                        CfDataset.of((ZarrGroup) root.find("dimensions").orElseThrow());
                CfVariable named = dataset.variable("named");
                assertEquals(List.of("y", "x"), named.dimensions(), location);
                assertArrayEquals(
                        new double[] {0, 0},
                        named.select().at("y", 2).range("x", 2, 3).read().doubles());
                CfValues labels = named.select().range("x", 2, 3).labels("x");
                assertArrayEquals(new double[] {2, 3}, labels.doubles(), location);
            }
        }
        try (CfDataset dataset = CfDataset.open(file.toString())) {
            assertArrayEquals(
                    new boolean[] {false, true}, dataset.variable("text").read().missing());
        }
    }

    /** A file of netCDF4 and the references that kerchunk made of it; {@code make_netcdf.py} makes both. */
    @Test
    void filesOfNetcdf4_andReferencesOfKerchunk_haveTheValuesOfXarray() throws IOException {
        Samples.unpack("netcdf.zip", folder);
        for (String location :
                List.of(folder.resolve("reanalysis.nc").toString(), "reference:" + folder.resolve("reanalysis.json"))) {
            try (CfDataset dataset = CfDataset.open(location)) {
                assertEquals(List.of(), dataset.notes(), location);
                assertEquals(
                        List.of("2020-01-01T00:00:00", "2020-01-01T06:00:00"),
                        dataset.variable("time").read().times().stream()
                                .map(time -> time.orElseThrow().toString())
                                .toList(),
                        location);
                CfVariable t2m = dataset.variable("t2m");
                double[] all = t2m.read().doubles();
                for (int i = 0; i < 23; i++) {
                    assertEquals(260 + 1.5 * i, all[i], location + " at " + i);
                }
                assertEquals(Double.NaN, all[23], location);
                CfValues south = t2m.select()
                        .at("time", "2020-01-01T06:00")
                        .range("latitude", 55, 50)
                        .nearest("longitude", 9)
                        .read();
                assertEquals(List.of("latitude"), south.dimensions(), location);
                assertArrayEquals(new double[] {287, 293}, south.doubles(), location);
            }
        }
    }
}
