package dev.shardkit;

/**
 * Whether a resize removes or keeps stored elements outside the array: outside the new shape if it shrinks, and outside
 * the old shape if it grows.
 */
public enum ResizePolicy {
    /**
     * Removes them: chunks outside are deleted, and elements outside in chunks on the edge become the fill value. So
     * the elements that an array gains read as the fill value, whatever another program has left there. A resize to a
     * larger shape reads the stored chunks on the old edge for that, and writes those that hold other elements.
     */
    REMOVE,
    /**
     * Keeps them; only the metadata change. If the array grows again with this value, they are visible again, except in
     * chunks on the edge that were overwritten as a whole meanwhile, and where a stream has appended slices meanwhile.
     * A stream appends at the stored length and overwrites what is kept there.
     */
    KEEP
}
