/** Contract suites for authors of plug-ins. */
module dev.shardkit.testkit {
  requires transitive dev.shardkit;
  requires transitive org.junit.jupiter.api;
  exports dev.shardkit.testkit;
}
