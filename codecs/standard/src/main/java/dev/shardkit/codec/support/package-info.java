/** What codecs have in common. Not exported. */
@NullMarked
package dev.shardkit.codec.support;

import org.jspecify.annotations.NullMarked;
