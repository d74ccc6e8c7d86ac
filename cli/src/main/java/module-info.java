/** The {@code shardkit} command. */
module dev.shardkit.cli {
  requires dev.shardkit.all;
  requires info.picocli;
  requires jdk.httpserver;
}
