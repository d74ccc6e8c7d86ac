package dev.shardkit

import dev.shardkit.spi.array.Box
import dev.shardkit.spi.array.Feed
import dev.shardkit.spi.array.Target
import dev.shardkit.spi.json.Json
import dev.shardkit.store.Store
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.future.await

// The coroutine face: the engine's workers do the work, the coroutine only waits; cancelling it ends the call, down to
// the HTTP exchange.

/** Opens the array at [path] of [store], which stays the caller's to close. */
public suspend fun awaitOpenArray(
    store: Store,
    path: String = "",
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.openArrayAsync(store, path, options).await()

/** Opens the group at [path] of [store], which stays the caller's to close. */
public suspend fun awaitOpenGroup(
    store: Store,
    path: String = "",
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrGroup = Zarr.openGroupAsync(store, path, options).await()

/** Creates an array at [path] of [store]; see [arraySpec] and [Zarr.createArrayAsync]. */
public suspend fun awaitCreateArray(
    store: Store,
    path: String,
    spec: ArraySpec,
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrArray = Zarr.createArrayAsync(store, path, spec, existing, options).await()

/** Creates a group at [path] of [store]; see [Zarr.createGroupAsync]. */
public suspend fun awaitCreateGroup(
    store: Store,
    path: String = "",
    attributes: Json.Obj = Json.`object`(),
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
    options: ZarrOptions = ZarrOptions.defaults(),
): ZarrGroup = Zarr.createGroupAsync(store, path, attributes, existing, options).await()

/** Creates an array below this group; see [ZarrGroup.createArray]. */
public suspend fun ZarrGroup.awaitCreateArray(
    relative: String,
    spec: ArraySpec,
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
): ZarrArray = createArrayAsync(relative, spec, existing).await()

/** Creates a group below this group; see [ZarrGroup.createGroup]. */
public suspend fun ZarrGroup.awaitCreateGroup(
    relative: String,
    attributes: Json.Obj = Json.`object`(),
    existing: Zarr.Existing = Zarr.Existing.REFUSE,
): ZarrGroup = createGroupAsync(relative, attributes, existing).await()

/** Reads a region; see [ZarrArray.read]. */
public suspend fun ZarrArray.awaitRead(region: Box = domain()): NdArray = readAsync(region).await()

/**
 * Reads a region of any size into [target], whose index zero is the region's origin. What it throws ends the read as it
 * is. A cancelled coroutine goes on at once: for a moment after that the target may still be written to.
 */
public suspend fun ZarrArray.awaitRead(region: Box, target: Target) {
    readAsync(region, target).await()
}

/** Overwrites a region; see [ZarrArray.write]. Cancelling ends it between shards, or while it waits for a lock. */
public suspend fun ZarrArray.awaitWrite(region: Box, values: NdArray) {
    writeAsync(region, values).await()
}

/**
 * Overwrites a region of any size with what [feed] gives, whose index zero is the region's origin; see
 * [ZarrArray.write]. Cancelling ends it between shards; for a moment after that the feed may still be asked.
 */
public suspend fun ZarrArray.awaitWrite(region: Box, feed: Feed) {
    writeAsync(region, feed).await()
}

/** Sets a region back to the fill value; see [ZarrArray.erase]. Cancelling ends it between shards. */
public suspend fun ZarrArray.awaitErase(region: Box) {
    eraseAsync(region).await()
}

/** Gives the array another shape; see [ZarrArray.resize]. Cancelled, it can be repeated. */
public suspend fun ZarrArray.awaitResize(vararg shape: Long, outside: Outside): ZarrArray =
    resizeAsync(shape, outside).await()

/** Publishes what is staged; see [Transaction.commit]. Cancelling ends it between shards; the rest stays staged. */
public suspend fun Transaction.awaitCommit() {
    commitAsync().await()
}

/** Takes the next slice; see [SliceWriter.write]. Cancelled while it waits for a lock, it may have taken the slice. */
public suspend fun SliceWriter.awaitWrite(slice: NdArray) {
    writeAsync(slice).await()
}

/** Writes the slices that wait; see [SliceWriter.flush]. Cancelled, it can be repeated. */
public suspend fun SliceWriter.awaitFlush() {
    flushAsync().await()
}

/**
 * The inner chunks that lie in [region], cut to it, in C order. Cold, with backpressure: a few neighbours are read
 * together, and no more until the collector has taken them.
 */
public fun ZarrArray.innerChunkFlow(region: Box = domain()): Flow<InnerChunk> = flow {
    for (boxes in batches(region)) {
        for (chunk in readAsync(boxes).await()) {
            emit(chunk)
        }
    }
}

/**
 * The chunks that exist; see [ChunkPresence.stream]. Cold, with backpressure: the next indexes are read when the
 * collector has taken what the last ones told.
 */
public fun ChunkPresence.asFlow(): Flow<PresentChunk> = flow {
    val walk = ChunkPresence.AsyncWalk()
    while (!walk.hasEnded()) {
        for (chunk in next(walk).await()) {
            emit(chunk)
        }
    }
}

/** Whether the chunk at [cell] exists; see [ChunkPresence.exists]. */
public suspend fun ChunkPresence.awaitExists(vararg cell: Long): Boolean = existsAsync(*cell).await()

/** The chunks that exist as a bitmap; see [ChunkPresence.bitmap]. */
public suspend fun ChunkPresence.awaitBitmap(): ChunkBitmap = bitmapAsync().await()

/** The attributes as an object of class [T]: `node.attributes<Voxel>()`. */
public inline fun <reified T : Any> ZarrNode.attributes(): T = attributes(T::class.java)
