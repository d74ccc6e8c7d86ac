/** A file system over the default one that counts calls, bytes and open files, and fails when it is told to. */
@NullMarked
package dev.shardkit.crash.disk;

import org.jspecify.annotations.NullMarked;
