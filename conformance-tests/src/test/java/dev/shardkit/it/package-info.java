/** Samples that other programs wrote, for the tests in the packages below: arrays over real stores and formats. */
@NullMarked
package dev.shardkit.it;

import org.jspecify.annotations.NullMarked;
