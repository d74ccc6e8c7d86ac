/**
 * Reads and writes HDFS and Hadoop's local file system, and reads other file systems of Apache Hadoop. Add the module
 * and Hadoop's client, and open a location such as {@code hdfs://namenode:8020/image.zarr}, or start with
 * {@link dev.shardkit.store.hadoop.HadoopStore#at}. ConfigurationFiles and credentials come from Hadoop's configuration
 * files.
 */
@NullMarked
package dev.shardkit.store.hadoop;

import org.jspecify.annotations.NullMarked;
