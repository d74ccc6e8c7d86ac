/** Contract suites for authors of plug-ins. */
module dev.shardkit.testkit {
  requires transitive dev.shardkit;
  requires transitive org.junit.jupiter.api;
  // once a type is there: exports dev.shardkit.testkit;
}
