package dev.shardkit

import dev.shardkit.spi.json.Json

/**
 * Returns a JSON object with these members: `jsonOf("unit" to "micrometre", "scale" to listOf(0.25, 0.25, 1))`.
 *
 * Values are strings, finite numbers, booleans, null, lists, maps with string keys, and [Json]. Other values throw
 * [IllegalArgumentException].
 */
public fun jsonOf(vararg members: Pair<String, Any?>): Json.Obj =
    Json.Obj(members.associate { it.first to toJson(it.second) })

private fun toJson(value: Any?): Json =
    when (value) {
        null -> Json.Null()
        is Json -> value
        is String -> Json.of(value)
        is Boolean -> Json.of(value)
        is Number -> Json.Num(value.toString())
        is List<*> -> Json.Arr(value.map(::toJson))
        is Map<*, *> -> Json.Obj(value.entries.associate { (name, member) -> "$name" to toJson(member) })
        else -> throw IllegalArgumentException("no JSON form: ${value::class.java.name}")
    }
