/** The {@code numcodecs.shuffle} codec: groups the bytes of elements by significance. */
@NullMarked
package dev.shardkit.codec.shuffle;

import org.jspecify.annotations.NullMarked;
