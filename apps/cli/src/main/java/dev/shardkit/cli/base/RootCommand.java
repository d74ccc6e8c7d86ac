package dev.shardkit.cli.base;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrArray;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.elements.ElementFormat;
import dev.shardkit.cli.print.elements.ElementWriter;
import dev.shardkit.registry.Registry;
import dev.shardkit.store.StoreFactory;
import dev.shardkit.store.http.ForbiddenPolicy;
import dev.shardkit.store.policy.SymbolicLinks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/**
 * The command {@code shardkit} itself. It holds the options that all commands share, and the hidden option
 * {@code --array_path}, with which test programs print an array. {@code Commands} lists the subcommands.
 */
@Command(
        name = "shardkit",
        description = "Inspects, reads, writes, copies and maintains sharded Zarr v3 arrays.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "A URL names the node's own folder: a path, file:, http:, https:, s3:, gs:, az:, abfs: or abfss:; or reference:DOCUMENT!PATH, "
                    + "zip:URL!PATH, composed:FILE!PATH, b2nd:LOCATION, hdf5:FILE!PATH or cache:URL. n5:URL, neuroglancer:URL, wkw:URL and zarr_v2:URL open "
                    + "nodes of this format only.",
            "Exit status: 0 success; 1 an error in the data, a store or the target; 2 wrong usage, or an input that does not "
                    + "fit the array. Commands that check use 1 for what they found, and 3 if they did not finish."
        })
public final class RootCommand extends ShardkitCommand {
    @Option(
            names = {"--verbose", "--debug"},
            scope = ScopeType.INHERIT,
            description = "Show the class and the stack trace of a failure.")
    private boolean debug;

    @Option(
            names = "--follow-links",
            scope = ScopeType.INHERIT,
            description = "Follow symbolic links that lead out of the URL's folder (default: an error).")
    private boolean followLinks;

    @Option(
            names = "--plugin",
            scope = ScopeType.INHERIT,
            paramLabel = "JAR",
            description = "A jar with plug-ins, or a folder of jars; repeatable (also: SHARDKIT_PLUGINS).")
    private List<Path> plugins = new ArrayList<>();

    private @Nullable Set<Path> pluginJars;

    @Option(
            names = "--s3-endpoint",
            scope = ScopeType.INHERIT,
            paramLabel = "URL",
            description = "The server of s3: locations (default: AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, "
                    + "the profile's endpoint_url, or Amazon's).")
    private @Nullable URI s3Endpoint;

    @Option(
            names = "--s3-region",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description =
                    "The region of s3: locations (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's region, or "
                            + "us-east-1, which the server's answer corrects).")
    private @Nullable String s3Region;

    @Option(
            names = "--s3-profile",
            scope = ScopeType.INHERIT,
            paramLabel = "NAME",
            description = "The profile of AWS's configuration files (default: AWS_PROFILE).")
    private @Nullable String s3Profile;

    @Option(
            names = "--s3-anonymous",
            scope = ScopeType.INHERIT,
            description = "Do not sign requests to s3: locations, as for public buckets.")
    private boolean s3Anonymous;

    @Option(
            names = "--s3-requester-pays",
            scope = ScopeType.INHERIT,
            description = "Pay for requests to s3: locations in place of the bucket's owner.")
    private boolean s3RequesterPays;

    @Option(
            names = "--forbidden-as-missing",
            scope = ScopeType.INHERIT,
            description =
                    "Take HTTP 403 for an object of a remote location as missing: servers that hide which objects "
                            + "exist answer so (also: SHARDKIT_FORBIDDEN=missing).")
    private boolean forbiddenAsMissing;

    @Mixin
    private NodeFormatOption format = new NodeFormatOption();

    @Mixin
    private HttpOptions http = new HttpOptions();

    @Mixin
    private GsOptions gs = new GsOptions();

    @Mixin
    private AzOptions az = new AzOptions();

    @Option(
            names = "--array_path",
            hidden = true,
            paramLabel = "DIR",
            description =
                    "Print the whole array in DIR, as read does. For test programs that call each Zarr library in this "
                            + "way.")
    private @Nullable String arrayPath;

    public RootCommand(Output output) {
        super(output);
    }

    /** Whether failures are shown with their class and stack trace. */
    public boolean debug() {
        return debug;
    }

    /** Returns the option {@code --node-format}. */
    public NodeFormatOption format() {
        return format;
    }

    /** Returns how stores of local files treat symbolic links. */
    SymbolicLinks links() {
        return followLinks ? SymbolicLinks.FOLLOW : SymbolicLinks.REFUSE;
    }

    /** Returns the jars of plug-ins that the command line and the environment name. */
    public Set<Path> pluginJars() {
        if (pluginJars == null) {
            pluginJars = PluginJars.of(plugins, System.getenv(PluginJars.VARIABLE), output()::printMessage);
        }
        return pluginJars;
    }

    /**
     * Returns a registry of all plug-ins whose remote stores have the given options; empty if no option for stores is
     * set.
     */
    Optional<Registry> registry() {
        List<StoreFactory> stores = new ArrayList<>(az.factories(forbidden()));
        new S3Options(s3Endpoint, s3Region, s3Profile, s3Anonymous, s3RequesterPays, forbidden())
                .factory()
                .ifPresent(stores::add);
        gs.factory(forbidden()).ifPresent(stores::add);
        stores.addAll(http.factories(
                forbidden(), model().commandLine().getParseResult().originalArgs()));
        if (stores.isEmpty()) {
            return Optional.empty();
        }
        Registry.Builder builder = Registry.builder().all(Registry.load());
        stores.forEach(builder::store);
        return Optional.of(builder.build());
    }

    private Optional<ForbiddenPolicy> forbidden() {
        return forbiddenAsMissing ? Optional.of(ForbiddenPolicy.MISSING) : Optional.empty();
    }

    @Override
    public int run() throws IOException {
        if (arrayPath == null) {
            throw new ParameterException(model().commandLine(), "a command is missing");
        }
        try (ZarrArray array = Zarr.openArray(arrayPath, options())) {
            ElementWriter.print(ElementFormat.TEXT, array, array.domain(), Optional.empty(), output().data());
            return 0;
        }
    }
}
