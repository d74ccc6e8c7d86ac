package dev.shardkit;

import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.Coverage;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Feed;
import java.util.ArrayList;
import java.util.List;

/**
 * Several writes as one feed: later parts lie over earlier ones, and between them are holes. Its index zero is {@code
 * origin} of the array. Immutable but for the parts' elements.
 */
record PartsFeed(List<Part> parts, long[] origin) implements Feed {
  /** So many boxes may be left uncovered before it counts as covered in part; that costs a read, and loses nothing. */
  private static final int MOST_LEFT = 256;

  /**
   * A write.
   *
   * @param box what it overwrites, in the array's coordinates
   * @param feed gives the elements; its index zero is the box's origin
   */
  record Part(Box box, Feed feed) {}

  @Override
  public void get(Box part, Elements to, long offset, long[] strides) {
    Box wanted = part.translate(origin);
    for (Part p : parts) {
      Box common = p.box().intersect(wanted);
      if (common.isEmpty()) {
        continue;
      }
      long at = offset;
      for (int d = 0; d < strides.length; d++) {
        at += (common.origin(d) - wanted.origin(d)) * strides[d];
      }
      p.feed().get(common.relativeTo(p.box().origin()), to, at, strides);
    }
  }

  @Override
  public Coverage coverage(Box part) {
    List<Box> left = List.of(part.translate(origin));
    boolean touched = false;
    boolean fill = true;
    for (int i = parts.size() - 1; i >= 0 && !left.isEmpty(); i--) {
      Part p = parts.get(i);
      List<Box> next = new ArrayList<>();
      for (Box box : left) {
        Box common = box.intersect(p.box());
        Coverage has = common.isEmpty() ? Coverage.NONE : p.feed().coverage(common.relativeTo(p.box().origin()));
        if (has == Coverage.SOME || next.size() > MOST_LEFT) {
          return Coverage.SOME;
        }
        boolean all = has != Coverage.NONE;
        touched |= all;
        fill &= !all || has == Coverage.FILL;
        next.addAll(all ? Boxes.minus(box, common) : List.of(box));
      }
      left = next;
    }
    if (!left.isEmpty()) {
      return touched ? Coverage.SOME : Coverage.NONE;
    }
    return fill ? Coverage.FILL : Coverage.ALL;
  }
}
