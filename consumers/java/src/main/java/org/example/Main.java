package org.example;

/** Shows that the one dependency brings every part of shardkit. */
public final class Main {
  private static final String[] PARTS = {
    "dev.shardkit.store.package-info", "dev.shardkit.store.http.package-info",
    "dev.shardkit.codec.crc32c.package-info", "dev.shardkit.codec.sharding.package-info",
  };

  private Main() {}

  /** Loads one class of each part. */
  public static void main(String[] args) throws ClassNotFoundException {
    for (String part : PARTS) {
      System.out.println("found " + Class.forName(part).getPackageName());
    }
  }
}
