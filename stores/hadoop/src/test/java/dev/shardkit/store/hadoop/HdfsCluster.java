package dev.shardkit.store.hadoop;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileOutputStream;

/** A name node and a data node in this process, which end with it. */
final class HdfsCluster {
    private static final AtomicInteger FOLDER = new AtomicInteger();

    private HdfsCluster() {}

    /** Starts once, when a test first needs it. */
    private static final class Started {
        static final Configuration SETTINGS = settings();
        static final MiniDFSCluster CLUSTER = start();

        private static Configuration settings() {
            Configuration settings = new Configuration();
            try {
                settings.set(
                        MiniDFSCluster.HDFS_MINIDFS_BASEDIR,
                        Files.createTempDirectory("hdfs").toString());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            settings.setInt("dfs.replication", 1);
            settings.setLong("dfs.namenode.fs-limits.min-block-size", 1 << 20);
            settings.setLong("dfs.blocksize", 1 << 20);
            settings.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
            settings.setInt("dfs.client.block.write.locateFollowingBlock.retries", 14); // 80 s, for a busy machine
            EditLogFileOutputStream.setShouldSkipFsyncForTesting(true);
            return settings;
        }

        private static MiniDFSCluster start() {
            try {
                MiniDFSCluster cluster =
                        new MiniDFSCluster.Builder(SETTINGS).numDataNodes(1).build();
                cluster.waitActive();
                return cluster;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the location of a folder that does not exist. The test is skipped where Hadoop cannot run. */
    static URI fresh() {
        skipWithoutHadoop();
        return URI.create(Started.CLUSTER.getURI() + "/test/" + FOLDER.incrementAndGet());
    }

    static Configuration settings() {
        return Started.SETTINGS;
    }

    static FileSystem files() {
        try {
            return Started.CLUSTER.getFileSystem();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Skips a test on a JDK without the security manager that older versions of Hadoop need. */
    static void skipWithoutHadoop() {
        try {
            org.apache.hadoop.security.UserGroupInformation.getCurrentUser();
        } catch (IOException | UnsupportedOperationException e) {
            System.out.println(
                    "skipped: Hadoop cannot run on JDK " + Runtime.version().feature() + ": " + e.getMessage());
            abort("Hadoop cannot run on this JDK: " + e.getMessage());
        }
    }
}
