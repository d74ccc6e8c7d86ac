/**
 * Locations as text: paths, URLs and the pipelines of other programs become the URI that opens a store. Nothing is
 * opened here; a few first bytes of local files decide between formats.
 */
@NullMarked
package dev.shardkit.session.location;

import org.jspecify.annotations.NullMarked;
