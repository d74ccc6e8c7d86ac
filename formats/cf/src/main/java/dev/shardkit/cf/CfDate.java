package dev.shardkit.cf;

/**
 * A date of a {@link CfCalendar}.
 *
 * @param year the year as it is written; never 0 in calendars where the year 1 follows the year -1
 */
record CfDate(long year, int month, int day) {}
