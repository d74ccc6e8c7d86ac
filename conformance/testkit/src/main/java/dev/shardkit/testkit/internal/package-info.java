/** Code that tests of several shardkit modules share. Not exported. */
@NullMarked
package dev.shardkit.testkit.internal;

import org.jspecify.annotations.NullMarked;
