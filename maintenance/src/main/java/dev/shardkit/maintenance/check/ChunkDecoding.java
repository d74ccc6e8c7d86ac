package dev.shardkit.maintenance.check;

/** Whether a check decodes chunks. */
enum ChunkDecoding {
    ALL,
    NONE
}
