/**
 * Reads and writes HDFS and Hadoop's local file system, and reads other file systems of Apache Hadoop. Add the module
 * and Hadoop's client, and open a location such as {@code hdfs://namenode:8020/image.zarr}, or start with
 * {@link dev.shardkit.store.hadoop.HadoopStore#at}. Configuration and credentials come from Hadoop's configuration
 * files.
 *
 * <p>It is a remote store, because HDFS deletes the blocks of a replaced file, and a local store must keep them
 * readable. A version consists of inode number, time and size; the name node checks it (path handles). A put writes a
 * new file and renames it. Only owners change shards, because HDFS has neither conditional puts nor locks: a writer
 * that pauses longer than its lease can still rename. Hadoop's client is {@code provided}: it has 40 MB, and clusters
 * and Spark have it. It blocks, so the store calls it on threads of its own.
 */
@NullMarked
package dev.shardkit.store.hadoop;

import org.jspecify.annotations.NullMarked;
