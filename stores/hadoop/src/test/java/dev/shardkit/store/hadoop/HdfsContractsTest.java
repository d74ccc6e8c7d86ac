package dev.shardkit.store.hadoop;

import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** The store does what stores must on a cluster of HDFS. */
class HdfsContractsTest extends HadoopContracts {
    @Override
    URI freshLocation() {
        return HdfsCluster.fresh();
    }

    @Override
    Configuration settings() {
        return HdfsCluster.settings();
    }

    @Override
    List<String> held(List<String> keys) {
        return keys.stream().filter(key -> !key.contains(":")).toList();
    }
}
