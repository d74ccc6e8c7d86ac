package dev.shardkit.store.hadoop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.io.TempDir;

/** The store does what stores must on Hadoop's local file system. */
class LocalContractsTest extends HadoopContracts {
    @TempDir
    static Path folder;

    @Override
    URI freshLocation() {
        HdfsCluster.skipWithoutHadoop();
        try {
            return Files.createTempDirectory(folder, "root").toUri();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    Configuration settings() {
        return new Configuration();
    }

    @Override
    List<String> held(List<String> keys) {
        return keys;
    }
}
