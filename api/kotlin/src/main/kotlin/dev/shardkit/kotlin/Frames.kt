package dev.shardkit.kotlin

import dev.shardkit.Acquisition
import dev.shardkit.NdArray
import java.nio.ByteBuffer
import kotlinx.coroutines.flow.Flow

/**
 * A frame of an acquisition.
 *
 * @property indices the frame's index in each dimension outside the frame, such as `t` and `c`, by the dimension's name
 * @property pixels the elements, in the shape of a frame
 */
public class Frame(public val indices: Map<String, Long>, public val pixels: NdArray) {
    /** Creates a frame, for example `Frame("t" to t, "c" to c, pixels = image)`. */
    public constructor(
        vararg indices: Pair<String, Long>,
        pixels: NdArray,
    ) : this(mapOf(*indices), pixels)
}

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

/** Accepts a frame; see [Acquisition.write]. A call cancelled during a wait may have accepted the frame. */
public suspend fun Acquisition.awaitWrite(vararg indices: Pair<String, Long>, frame: NdArray) {
    awaitWrite(Frame(mapOf(*indices), frame))
}

/** Accepts a frame; see [Acquisition.write]. A call cancelled during a wait may have accepted the frame. */
public suspend fun Acquisition.awaitWrite(frame: Frame) {
    writeAsync(frame.indices, frame.pixels).awaitEnd()
}

/** Stores the complete slices; see [Acquisition.flush]. After a cancellation, it can be repeated. */
public suspend fun Acquisition.awaitFlush() {
    flushAsync().awaitEnd()
}

/**
 * Writes the frames of a flow, flushes the acquisition, and returns the number of frames.
 *
 * Takes the next frame from the flow when the previous one is accepted, so a full memory budget slows the flow down. If
 * the flow fails, a frame is refused or the coroutine is cancelled, the frames so far wait in [acquisition], and its
 * `flush` or `close` stores them.
 */
public suspend fun Flow<Frame>.writeTo(acquisition: Acquisition): Long {
    var count = 0L
    collect {
        acquisition.awaitWrite(it)
        count++
    }
    acquisition.awaitFlush()
    return count
}
