package dev.shardkit.kotlin

import dev.shardkit.ArraySpec
import dev.shardkit.AsyncBatches
import dev.shardkit.ChunkBitmap
import dev.shardkit.ChunkPresence
import dev.shardkit.DecodedInnerChunk
import dev.shardkit.IfExists
import dev.shardkit.NdArray
import dev.shardkit.PresentChunk
import dev.shardkit.ResizePolicy
import dev.shardkit.SliceWriter
import dev.shardkit.Transaction
import dev.shardkit.Zarr
import dev.shardkit.ZarrArray
import dev.shardkit.ZarrGroup
import dev.shardkit.ZarrNode
import dev.shardkit.ZarrOptions
import dev.shardkit.ZarrPoints
import dev.shardkit.ZarrView
import dev.shardkit.engine.threads.CallFuture
import dev.shardkit.javaarray.NumberArrays
import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.Feed
import dev.shardkit.spi.array.Target
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletionException
import kotlin.coroutines.cancellation.CancellationException
import kotlin.coroutines.resume
import kotlin.coroutines.resumeWithException
import kotlin.coroutines.suspendCoroutine
import kotlin.time.Duration
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.suspendCancellableCoroutine

// Suspending functions: the engine's workers do the work while the coroutine is suspended. Cancelling the coroutine
// stops the call, including its HTTP reads. The coroutine resumes when the call has ended. From then on, the call
// touches neither the caller's memory nor the store. The call ends only after the unit of work or the put request that
// is running. Functions that open a location do not wait for that end when they are cancelled: they use no memory of
// the caller, and the call closes its own store.

/**
 * Waits for the end of a call. If the coroutine is cancelled, this function stops the call and still waits for its end,
 * which [kotlinx.coroutines.future.await] does not.
 */
internal suspend fun <T> CompletableFuture<T>.awaitEnd(): T {
    try {
        return suspendCancellableCoroutine { caller ->
            whenComplete { value, thrown ->
                if (thrown == null) caller.resume(value)
                else caller.resumeWithException((thrown as? CompletionException)?.cause ?: thrown)
            }
            caller.invokeOnCancellation { reason ->
                CallFuture.stop(this, reason ?: CancellationException("the coroutine was cancelled"))
            }
        }
    } catch (e: CancellationException) {
        if (!isDone) {
            suspendCoroutine { caller -> whenComplete { _, _ -> caller.resume(Unit) } }
        }
        throw e
    }
}

/** Opens the array at [path] of [store]. Closing the array leaves the store open. */
public suspend fun awaitOpenArray(
    store: Store,
    path: String = "",
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.openArrayAsync(store, path, options).awaitEnd()

/**
 * Opens the array at [location]; see [Zarr.openArray]. Closing the array closes its store. Cancelling stops the
 * requests and closes the store.
 */
public suspend fun awaitOpenArray(location: String, options: ZarrOptions = ZarrOptions.defaults()): ZarrArray =
    Zarr.openArrayAsync(location, options).awaitNode()

/** Opens the group at [location]; see [Zarr.openGroup] and [awaitOpenArray]. */
public suspend fun awaitOpenGroup(location: String, options: ZarrOptions = ZarrOptions.defaults()): ZarrGroup =
    Zarr.openGroupAsync(location, options).awaitNode()

/**
 * Waits for a node that owns its store. A cancelled coroutine resumes at once, in contrast to [awaitEnd]. If the node
 * is opened after that, it is closed.
 */
private suspend fun <N : ZarrNode> CompletableFuture<N>.awaitNode(): N = suspendCancellableCoroutine { caller ->
    caller.invokeOnCancellation { reason ->
        CallFuture.stop(this, reason ?: CancellationException("the coroutine was cancelled"))
    }
    whenComplete { node, thrown ->
        if (thrown == null) {
            caller.resume(node) { _, unclaimed, _ -> unclaimed.close() }
        } else {
            caller.resumeWithException((thrown as? CompletionException)?.cause ?: thrown)
        }
    }
}

/** Opens the group at [path] of [store]. Closing the group leaves the store open. */
public suspend fun awaitOpenGroup(
    store: Store,
    path: String = "",
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrGroup = Zarr.openGroupAsync(store, path, options).awaitEnd()

/** Creates an array at [path] of [store]; see [arraySpec] and [Zarr.createArrayAsync]. */
public suspend fun awaitCreateArray(
    store: Store,
    path: String,
    spec: ArraySpec,
    existing: IfExists = IfExists.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.createArrayAsync(store, path, spec, existing, options).awaitEnd()

/** Creates a group at [path] of [store]; see [Zarr.createGroupAsync]. */
public suspend fun awaitCreateGroup(
    store: Store,
    path: String = "",
    attributes: Json.Obj = Json.`object`(),
    existing: IfExists = IfExists.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrGroup = Zarr.createGroupAsync(store, path, attributes, existing, options).awaitEnd()

/** Creates an array below this group; see [ZarrGroup.createArray]. */
public suspend fun ZarrGroup.awaitCreateArray(
    relative: String,
    spec: ArraySpec,
    existing: IfExists = IfExists.REFUSE,
): ZarrArray = createArrayAsync(relative, spec, existing).awaitEnd()

/** Creates a group below this group; see [ZarrGroup.createGroup]. */
public suspend fun ZarrGroup.awaitCreateGroup(
    relative: String,
    attributes: Json.Obj = Json.`object`(),
    existing: IfExists = IfExists.REFUSE,
): ZarrGroup = createGroupAsync(relative, attributes, existing).awaitEnd()

/** Reads a region; see [ZarrArray.read]. */
public suspend fun ZarrArray.awaitRead(region: Box = domain()): NdArray = readAsync(region).awaitEnd()

/**
 * Reads a region of any size into [target]. Index zero of the target is the region's origin. If the target throws, the
 * read ends with that exception.
 */
public suspend fun ZarrArray.awaitRead(region: Box, target: Target) {
    readAsync(region, target).awaitEnd()
}

/** Overwrites a region; see [ZarrArray.write]. Cancelling stops it between shards, or while it waits for a lock. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: NdArray) {
    writeAsync(region, values).awaitEnd()
}

/**
 * Overwrites a region of any size with the elements of [feed], whose index zero is the region's origin; see
 * [ZarrArray.write]. Cancelling stops it between shards.
 */
public suspend fun ZarrArray.awaitWrite(region: Box, feed: Feed) {
    writeAsync(region, feed).awaitEnd()
}

/**
 * Overwrites a region with the elements of a Java array, in C order; see [ZarrArray.write]. The array is the carrier of
 * the data type (see [NdArray]). If the elements are numbers, it may also be an [IntArray], [LongArray], [FloatArray]
 * or [DoubleArray], whose numbers are converted exactly. Do not change it before the call returns.
 *
 * @throws IllegalArgumentException if the Java array has another length than the region, or another class
 * @throws ArithmeticException if the data type does not represent a number exactly
 */
public suspend fun ZarrArray.awaitWrite(region: Box, values: ShortArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form with a region. */
public suspend fun ZarrArray.awaitWrite(values: ShortArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: BooleanArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: BooleanArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: ByteArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: ByteArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: IntArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: IntArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: LongArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: LongArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: FloatArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: FloatArray): Unit = awaitWritePlain(domain(), values)

/** Overwrites a region with the elements of a Java array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: DoubleArray): Unit = awaitWritePlain(region, values)

/** Overwrites the whole array; see the form for [ShortArray]. */
public suspend fun ZarrArray.awaitWrite(values: DoubleArray): Unit = awaitWritePlain(domain(), values)

private suspend fun ZarrArray.awaitWritePlain(region: Box, values: Any) {
    val type = NumberArrays.signedType(dataType(), values) ?: dataType()
    awaitWrite(region, NdArray.of(type, region.shape(), values))
}

/** Reads the selected elements; see [ZarrView.read]. */
public suspend fun ZarrView.awaitRead(): NdArray = readAsync().awaitEnd()

/** Overwrites the selected elements; see [ZarrView.write]. Cancelling stops it between shards. */
public suspend fun ZarrView.awaitWrite(values: NdArray) {
    writeAsync(values).awaitEnd()
}

/** Reads the elements at these points; see [ZarrPoints.read]. */
public suspend fun ZarrPoints.awaitRead(): NdArray = readAsync().awaitEnd()

/** Overwrites the elements at these points; see [ZarrPoints.write]. Cancelling stops it between shards. */
public suspend fun ZarrPoints.awaitWrite(values: NdArray) {
    writeAsync(values).awaitEnd()
}

/** Erases a region; see [ZarrArray.erase]. Cancelling stops it between shards. */
public suspend fun ZarrArray.awaitErase(region: Box) {
    eraseAsync(region).awaitEnd()
}

/** Changes the shape; see [ZarrArray.resize]. After a cancellation, it can be repeated. */
public suspend fun ZarrArray.awaitResize(vararg shape: Long, outside: ResizePolicy): ZarrArray =
    resizeAsync(shape, outside).awaitEnd()

/** Reads the stored metadata again; see [ZarrArray.refresh]. */
public suspend fun ZarrArray.awaitRefresh(): ZarrArray = refreshAsync().awaitEnd()

/**
 * Returns the array with its stored metadata, and again whenever they have changed, for example because another process
 * has extended the array; see [ZarrArray.refresh]. The flow is cold and does not end by itself. It checks the stored
 * metadata every [every], but not while the collector handles an array, so a slow collector skips shapes.
 */
public fun ZarrArray.refreshes(every: Duration): Flow<ZarrArray> = flow {
    var newest = awaitRefresh()
    emit(newest)
    while (true) {
        delay(every)
        val stored = newest.awaitRefresh()
        if (stored !== newest) {
            newest = stored
            emit(newest)
        }
    }
}

/** Publishes the staged writes; see [Transaction.commit]. Cancelling stops it between shards; the rest stays staged. */
public suspend fun Transaction.awaitCommit() {
    commitAsync().awaitEnd()
}

/** Writes the next slice; see [SliceWriter.write]. A call cancelled during a wait may have accepted the slice. */
public suspend fun SliceWriter.awaitWrite(slice: NdArray) {
    writeAsync(slice).awaitEnd()
}

/** Writes the waiting slices; see [SliceWriter.flush]. After a cancellation, it can be repeated. */
public suspend fun SliceWriter.awaitFlush() {
    flushAsync().awaitEnd()
}

/**
 * Writes the slices of a flow in their order, flushes, and returns their number. It takes a slice from the flow when
 * the one before is accepted, so a full budget slows the flow down. If the flow fails or the coroutine is cancelled,
 * the slices so far wait in [slices], and its `flush` or `close` stores them.
 */
public suspend fun Flow<NdArray>.writeTo(slices: SliceWriter): Long {
    var count = 0L
    collect {
        slices.awaitWrite(it)
        count++
    }
    slices.awaitFlush()
    return count
}

/**
 * Returns the inner chunks of [region], clipped to it, in C order. The flow is cold and has backpressure: it reads a
 * few neighbours together, and no more before the collector has received them.
 */
public fun ZarrArray.innerChunkFlow(region: Box = domain()): Flow<DecodedInnerChunk> = flow {
    emitAll(innerChunksAsync(region))
}

/**
 * Returns the chunks that exist; see [ChunkPresence.stream]. The flow is cold and has backpressure: it reads the next
 * indexes after the collector has received the chunks of the previous ones.
 */
public fun ChunkPresence.asFlow(): Flow<PresentChunk> = flow {
    emitAll(streamAsync())
}

private suspend fun <T : Any> FlowCollector<T>.emitAll(batches: AsyncBatches<T>) {
    while (true) {
        val batch = batches.next().awaitEnd()
        if (batch.isEmpty()) return
        batch.forEach { emit(it) }
    }
}

/** Checks whether the chunk at [cell] exists; see [ChunkPresence.exists]. */
public suspend fun ChunkPresence.awaitExists(vararg cell: Long): Boolean = existsAsync(*cell).awaitEnd()

/** Returns the chunks that exist as a bitmap; see [ChunkPresence.bitmap]. */
public suspend fun ChunkPresence.awaitBitmap(): ChunkBitmap = bitmapAsync().awaitEnd()

/** Returns the attributes as an object of class [T]: `node.attributes<Voxel>()`. */
public inline fun <reified T : Any> ZarrNode.attributes(): T = attributes(T::class.java)
