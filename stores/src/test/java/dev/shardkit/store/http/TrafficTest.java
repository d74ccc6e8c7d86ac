package dev.shardkit.store.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.shardkit.store.MergePolicy;
import org.junit.jupiter.api.Test;

class TrafficTest {
  private static final long MILLISECOND = 1_000_000;

  @Test
  void fewRequestsAreUnderWay_untilThereWereBytesEnoughToTell() {
    Traffic traffic = new Traffic();
    MergePolicy before = traffic.policy();
    traffic.begun(20 * MILLISECOND);
    traffic.ended(8 << 10);
    assertEquals(before, traffic.policy());
    traffic.begun(20 * MILLISECOND);
    traffic.ended(1 << 20);
    assertTrue(traffic.policy().parallel() > before.parallel(), traffic.policy().toString());
  }

  @Test
  void bodiesSideBySide_countTogether() {
    Traffic traffic = new Traffic();
    for (int i = 0; i < 4; i++) {
      traffic.begun(20 * MILLISECOND);
    }
    MergePolicy before = traffic.policy();
    traffic.ended(50 << 10);
    traffic.ended(50 << 10);
    assertEquals(before, traffic.policy(), "100 KiB tell nothing");
    traffic.ended(50 << 10);
    assertTrue(traffic.policy().parallel() > before.parallel());
    traffic.ended(0);
  }

  @Test
  void whatIsMeasured_makesGapsWideOnlyWhereBytesAreCheap() {
    MergePolicy fast = MergePolicy.measured(0.02, 1e9, 24);
    MergePolicy slow = MergePolicy.measured(0.02, 1e7, 24);
    assertEquals(64 << 10, fast.gap());
    assertEquals((long) (0.02 * 1e9 / 24), fast.widestGap());
    assertEquals((long) (0.02 * 1e7 / 24), slow.widestGap());
    assertEquals(slow.widestGap(), slow.gap());
    assertEquals(8 << 20, MergePolicy.measured(10, 1e12, 1).widestGap());
  }
}
