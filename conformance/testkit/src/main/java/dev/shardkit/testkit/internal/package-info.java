/** What tests of several of shardkit's own modules share. Not exported. */
@NullMarked
package dev.shardkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
