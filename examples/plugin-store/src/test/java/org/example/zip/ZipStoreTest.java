package org.example.zip;

import dev.shardkit.store.Store;
import dev.shardkit.testkit.NearReadsContract;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.TempDir;

/** The contract of stores that only read. */
class ZipStoreTest extends NearReadsContract {
    @TempDir
    private Path folder;

    @Override
    protected Store storeOf(Map<String, byte[]> objects) throws Exception {
        Path archive = Files.createTempFile(folder, "store", ".zip");
        try (OutputStream file = Files.newOutputStream(archive);
                ZipOutputStream zip = new ZipOutputStream(file)) {
            for (Map.Entry<String, byte[]> e : objects.entrySet()) {
                zip.putNextEntry(new ZipEntry(e.getKey()));
                zip.write(e.getValue());
                zip.closeEntry();
            }
        }
        return new ZipStore().open(new URI("zip", archive.toString(), null));
    }
}
