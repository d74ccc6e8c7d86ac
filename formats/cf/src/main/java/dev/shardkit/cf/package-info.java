/**
 * The CF conventions (climate and forecast metadata, version 1.11) above groups of arrays:
 * {@link dev.shardkit.cf.CfDataset} finds dimensions, coordinates and data variables,
 * {@link dev.shardkit.cf.CfVariable} reads physical values and {@link dev.shardkit.cf.CfSelection} selects by labels of
 * coordinates. Coordinate reference systems are in {@code dev.shardkit.cf.geo}. {@link dev.shardkit.cf.CfDateTime} is a
 * moment in one of the calendars of the conventions.
 *
 * <p>Values are decoded as xarray 2026.9 decodes them. Where a dataset contradicts the conventions, nothing is guessed:
 * the attribute is ignored and {@link dev.shardkit.cf.CfDataset#notes()} says so.
 *
 * @see <a href="https://cfconventions.org/">the conventions</a>
 */
@NullMarked
package dev.shardkit.cf;

import org.jspecify.annotations.NullMarked;
