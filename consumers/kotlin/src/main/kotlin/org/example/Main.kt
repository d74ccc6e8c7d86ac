@file:JvmName("Main")

package org.example

/** Shows that modules taken one by one, with versions from the bom, are found. */
fun main() {
  listOf("dev.shardkit.store", "dev.shardkit.store.file", "dev.shardkit.codec.crc32c", "dev.shardkit.codec.sharding")
    .forEach { println("found ${Class.forName("$it.package-info").packageName}") }
}
