/** The {@code shardkit} command. */
module dev.shardkit.cli {
    requires dev.shardkit.all;
    requires dev.shardkit.conformance;
    requires dev.shardkit.files;
    requires dev.shardkit.ome;
    requires dev.shardkit.pictures;
    requires dev.shardkit.store.azure;
    requires dev.shardkit.store.gcs;
    requires dev.shardkit.hdf5;
    requires dev.shardkit.store.s3;
    requires dev.shardkit.serve;
    requires info.picocli;
    requires jdk.httpserver;
    requires me.tongfei.progressbar;

    exports dev.shardkit.cli;

    opens dev.shardkit.cli to
            info.picocli;
    opens dev.shardkit.cli.base to
            info.picocli;
    opens dev.shardkit.cli.command.conformance to
            info.picocli;
    opens dev.shardkit.cli.command.copy to
            info.picocli;
    opens dev.shardkit.cli.command.files to
            info.picocli;
    opens dev.shardkit.cli.command.look to
            info.picocli;
    opens dev.shardkit.cli.command.maintain to
            info.picocli;
    opens dev.shardkit.cli.command.ome to
            info.picocli;
    opens dev.shardkit.cli.command.serve to
            info.picocli;
    opens dev.shardkit.cli.command.write to
            info.picocli;
    opens dev.shardkit.cli.option to
            info.picocli;
    opens dev.shardkit.cli.print.elements to
            info.picocli;
}
