package dev.shardkit.kotlin

import dev.shardkit.Acquisition
import dev.shardkit.NdArray
import java.nio.ByteBuffer

/**
 * Accepts a frame and copies it, for example `acquisition.write("t" to t, "c" to c, frame = pixels)`; see
 * [Acquisition.write].
 */
public fun Acquisition.write(vararg indices: Pair<String, Long>, frame: NdArray) {
    write(mapOf(*indices), frame)
}

/** Accepts a frame from a buffer and copies it; see [Acquisition.write]. */
public fun Acquisition.write(vararg indices: Pair<String, Long>, frame: ByteBuffer) {
    write(mapOf(*indices), frame)
}
