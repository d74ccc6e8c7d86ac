package dev.shardkit.kotlin;

/** A class of Java with a member of Kotlin. */
record JavaHolder(Slide slide) {}
