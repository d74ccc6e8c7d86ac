/** The {@code crc32c} codec. */
@NullMarked
package dev.shardkit.codec.crc32c;

import org.jspecify.annotations.NullMarked;
