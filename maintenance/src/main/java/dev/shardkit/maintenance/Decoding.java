package dev.shardkit.maintenance;

/** Whether a check decodes chunks. */
enum Decoding {
    ALL,
    NONE
}
