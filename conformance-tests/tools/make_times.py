"""Makes times.tsv: which moments xarray and cftime take numbers with units of time for.

    python make_times.py > formats/cf/src/test/resources/dev/shardkit/cf/times.tsv

Columns: units, calendar, number, moment (empty if xarray refuses it). Needs cftime, numpy and xarray.
"""

import sys
import warnings

import numpy as np
from xarray.coding.times import decode_cf_datetime

warnings.simplefilter("ignore")

UNITS = """day days d D Days hour hours hr hrs h H minute minutes min mins second seconds sec secs s S millisecond
milliseconds millisec millisecs msec msecs ms microsecond microseconds microsec microsecs m month months year years
common_year common_years week weeks fortnight""".split()
CALENDARS = """standard gregorian STANDARD proleptic_gregorian julian noleap 365_day all_leap 366_day 360_day
none""".split() + [""]
REFERENCES = """2000-1-1|2000-01-01 00:00:00|2000-01-01T00:00:00Z|2000-01-01 12:30|2000-1-1 0:0:0|
2000-01-01 00:00:00.5|2000-01-01 00:00:00 UTC|2000-01-01 00:00 GMT|2000-01-01 00:00:00 Z|2000-01-01t00:00:00z|
2000-01-01 00:00 +01:00|2000-01-01 00:00:00+0100|2000-01-01T00:00:00+01|2000-01-01 +01:00|2000-01-01 -05|
2000-01-01 06:30:15 +0530|2000-01-01 UTC|1970-01-01 00:00:00 +14:00|0001-01-01|0000-01-01|1-1-1|99-1-1|-1-01-01|
-0001-01-01|-4712-01-01 12:00:00|10000-01-01|12345-06-07|1582-10-04|1582-10-10|1582-10-15|1500-02-29|1900-02-29|
2001-02-29|2000-02-30|2000-02-31|2000-13-01|2000-01-32|2000-01-01 24:00:00|2000-01-01 10:60|2000-01-01 00:00:60|
0000-02-29|-0001-02-29|1400-01-01""".replace("\n", "").split("|")
ODD = ["2000-01-01 12", "2000-01-01 00:00:00 -5:30", "2000-01-01 00:00:00 +1"]
NUMBERS = [0, -1, 0.5, 1.25, 100000, -100000, 730000, -730000, 3652058, -3652058]


def moment(units, calendar, number):
    try:
        decoded = decode_cf_datetime(np.array([number]), units, calendar or None)[0]
    except Exception:
        return ""
    if isinstance(decoded, np.datetime64):
        text = str(decoded.astype("datetime64[us]"))
    else:
        text = decoded.isoformat()
    return text.rstrip("0").rstrip(".") if "." in text else text


def main():
    rows = []
    for unit in UNITS:
        for calendar in ("standard", "360_day", "noleap"):
            rows += [(f"{unit} since 2000-03-01 12:00:00", calendar, n) for n in (1, -1, 90)]
    for reference in REFERENCES:
        rows += [(f"days since {reference}", calendar, 1) for calendar in CALENDARS]
    rows += [(f"days since {reference}", "standard", 1) for reference in ODD]
    for calendar in CALENDARS:
        for reference in ("2000-01-01", "1582-10-15", "0001-01-01", "1582-10-04"):
            rows += [(f"{unit} since {reference}", calendar, n) for unit in ("days", "hours") for n in NUMBERS]
    for row in dict.fromkeys(rows):
        print(*row, moment(*row), sep="\t")


if __name__ == "__main__":
    sys.exit(main())
