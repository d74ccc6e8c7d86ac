package dev.shardkit.cf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datasets of xarray are decoded as xarray decodes them; {@code conformance-tests/tools/cf_check.py} makes the archive.
 */
class CfSamplesTest {
    @TempDir
    Path folder;

    @Test
    void values_areThoseOfXarray() throws IOException {
        try (InputStream archive = CfSamplesTest.class.getResourceAsStream("samples.zip");
                ZipInputStream files = new ZipInputStream(archive)) {
            for (ZipEntry entry = files.getNextEntry(); entry != null; entry = files.getNextEntry()) {
                Path file = folder.resolve(entry.getName());
                Files.createDirectories(file.getParent());
                Files.write(file, files.readAllBytes());
            }
        }
        int compared = 0;
        List<String> wrong = new ArrayList<>();
        try (Stream<Path> datasets = Files.list(folder)) {
            for (Path dataset : datasets.sorted().toList()) {
                List<String> expected = Files.readAllLines(dataset.resolve("expected.txt"), StandardCharsets.UTF_8);
                List<String> found = CfLines.of(
                        dataset.resolve("data.zarr").toString(), Files.readAllLines(dataset.resolve("queries.txt")));
                assertEquals(expected.size(), found.size(), dataset.toString());
                for (int i = 0; i < expected.size(); i++) {
                    compared++;
                    if (!expected.get(i).equals(found.get(i))) {
                        wrong.add(dataset.getFileName() + ": " + expected.get(i) + "\n but " + found.get(i));
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
        assertTrue(compared > 200, "lines " + compared);
    }
}
