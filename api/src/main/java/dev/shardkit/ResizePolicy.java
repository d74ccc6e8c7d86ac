package dev.shardkit;

/**
 * Whether a resize removes or keeps stored elements outside the array: outside the new shape if it shrinks, and outside
 * the old shape if it grows.
 */
public enum ResizePolicy {
    /**
     * Removes them: deletes the chunks outside, and sets the elements outside to the fill value in chunks on the edge.
     * So the elements that an array gains read as the fill value, whatever another program has left there. For this, a
     * resize to a larger shape reads the stored chunks on the old edge, and writes those with other elements outside.
     */
    REMOVE,
    /**
     * Keeps them, and changes only the metadata. If the array grows again with this value, the kept elements are
     * visible again. Elements are lost where a write has overwritten a whole chunk on the edge meanwhile, and where a
     * stream has appended slices: it appends at the stored length and overwrites the kept elements there.
     */
    KEEP
}
