/** The {@code crc32c} codec: appends and checks a CRC-32C checksum. */
@NullMarked
package dev.shardkit.codec.crc32c;

import org.jspecify.annotations.NullMarked;
