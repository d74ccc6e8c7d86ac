/**
 * Fuzz targets. Each takes arbitrary bytes and must end normally, or in one of the library's declared errors, which the
 * target itself accepts. Anything else that it throws is a finding, and so is a hang or an {@code OutOfMemoryError}.
 */
@NullMarked
package dev.shardkit.fuzz;

import org.jspecify.annotations.NullMarked;
