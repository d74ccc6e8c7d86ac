package dev.shardkit.maintenance.check;

/** Says whether a check decodes all chunks, or only checks the indexes of shards. */
enum ChunkDecoding {
    ALL,
    NONE
}
