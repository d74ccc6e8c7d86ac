package dev.shardkit

import dev.shardkit.spi.json.Json

/**
 * Returns a JSON object with these members: `jsonOf("unit" to "micrometre", "scale" to listOf(0.25, 0.25, 1))`.
 *
 * Values are strings, finite numbers, booleans, null, lists, maps with string keys, and [Json]. Other values throw
 * [IllegalArgumentException].
 */
public fun jsonOf(vararg members: Pair<String, Any?>): Json.Obj = Json.of(mapOf(*members))
