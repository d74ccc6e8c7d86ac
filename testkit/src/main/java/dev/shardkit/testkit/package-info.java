/** Contract suites for authors of codecs, data types, stores, chunk grids and key encodings. */
@NullMarked
package dev.shardkit.testkit;

import org.jspecify.annotations.NullMarked;
