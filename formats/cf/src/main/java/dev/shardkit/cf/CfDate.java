package dev.shardkit.cf;

/**
 * A date of a calendar.
 *
 * @param year the year as it is written; calendars without a year 0 have none
 */
record CfDate(long year, int month, int day) {}
