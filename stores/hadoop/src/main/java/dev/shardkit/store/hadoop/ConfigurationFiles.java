package dev.shardkit.store.hadoop;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Finds Hadoop's configuration files. */
final class ConfigurationFiles {
    private static final List<String> FILES = List.of("core-site.xml", "hdfs-site.xml");

    private ConfigurationFiles() {}

    /** Returns the settings of the files on the class path, and of those in the folder {@code HADOOP_CONF_DIR}. */
    static Configuration ofEnvironment() {
        Configuration settings = new Configuration();
        String folder = System.getenv("HADOOP_CONF_DIR");
        if (folder != null && !folder.isBlank()) {
            for (String name : FILES) {
                Path file = Path.of(folder, name);
                if (Files.isRegularFile(file)) {
                    settings.addResource(new org.apache.hadoop.fs.Path(file.toUri()));
                }
            }
        }
        return settings;
    }
}
