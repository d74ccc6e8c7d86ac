/**
 * The directories and chunks of TIFF files that an array refers to without a copy. Images that an import decodes are in
 * {@code image}, files that an export writes in {@code export}. Not exported.
 */
@NullMarked
package dev.shardkit.files.tiff;

import org.jspecify.annotations.NullMarked;
