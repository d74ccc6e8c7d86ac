package dev.shardkit.cli.command.copy;

import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * {@code copy}: copies an array or a tree, optionally with another layout. {@link CopyOptions}, which {@code convert}
 * shares, does the work.
 */
@Command(
        name = "copy",
        description = {
            "Copy an array or a tree of any format. Without options, local arrays of Zarr are copied as stored.",
            "Options change the layout; everything else stays the same. With shards, chunk shape and codecs are "
                    + "those of inner chunks.",
            "DST may begin with n5:, neuroglancer: or wkw: to write one array in that format. --codecs is then raw, gzip, "
                    + "zlib, bzip2, xz, zstd, blosc or lz4, with an optional level as in gzip:6 (n5), raw, jpeg, png or "
                    + "compressed_segmentation (neuroglancer), raw or lz4 (wkw). Such a copy has no parts, and if it is "
                    + "interrupted, remove DST with shardkit rm and copy again.",
            "Metadata is written last. Rerunning the command resumes an interrupted copy into Zarr if SRC is local, or with "
                    + "--part or --missing-only.",
            "Several processes share a copy: run every part, --part 1/8 to --part 8/8, then --finish, with the same other "
                    + "options. No other program may write to DST meanwhile, and SRC must not change.",
            "Exit status: 0 done; 1 the copy failed; 2 wrong usage. With --skip-unsupported: 1 some nodes were left out, "
                    + "3 the copy failed."
        })
public final class CopyCommand extends ShardkitCommand {
    @Parameters(paramLabel = "SRC", description = "The location of the array or group, in any format.")
    private String source = "";

    @Parameters(paramLabel = "DST", description = "The location of the copy.")
    private String target = "";

    @Mixin
    private CopyOptions copyOptions = new CopyOptions();

    public CopyCommand(Output output) {
        super(output);
    }

    @Override
    public int faultStatus() {
        return copyOptions.faultStatus();
    }

    @Override
    public Optional<String> adviceAfterSignal(String command) {
        return copyOptions.adviceAfterSignal(source, target, command);
    }

    @Override
    public int run() throws IOException {
        return copyOptions.copy(this, source, target);
    }
}
