package dev.shardkit.cli.command.serve;

import dev.shardkit.Zarr;
import dev.shardkit.ZarrOptions;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.serve.DataServer;
import dev.shardkit.serve.ServerOptions;
import dev.shardkit.store.Store;
import dev.shardkit.store.file.FileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code serve}: serves a folder or any other store over HTTP, until it is interrupted. */
@Command(
        name = "serve",
        description = {
            "Serve a folder, an archive or any other store over HTTP, read-only, until Ctrl-C.",
            "Prints one line when it is ready, and links that open an image at PATH in neuroglancer and vizarr.",
            "A browser that visits the URL gets a page that shows the arrays. Follows no links out of PATH and serves none of shardkit's own files (__shardkit)."
        })
public final class ServeCommand extends ShardkitCommand {
    @Parameters(paramLabel = "PATH|URL", description = "The folder, archive or store.")
    private String url = "";

    @Option(
            names = "--host",
            paramLabel = "HOST",
            description = "The address to listen on (default: ${DEFAULT-VALUE}, this machine only; "
                    + "0.0.0.0: everyone who can reach it).")
    private String host = "127.0.0.1";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "The port (default: ${DEFAULT-VALUE}); 0 for a free one.")
    private int port = 8080;

    @Option(
            names = "--allow-origin",
            paramLabel = "ORIGIN",
            description = "A web origin whose pages may read the data, such as https://example.org; repeatable.")
    private List<String> origins = new ArrayList<>();

    @Option(
            names = "--allow-host",
            paramLabel = "NAME",
            description = "A further name of this machine that clients use, such as that of a proxy; repeatable.")
    private List<String> hostNames = new ArrayList<>();

    @Option(
            names = "--no-links",
            description = "Print no links to viewers on the web, and do not let their pages read the data.")
    private boolean noLinks;

    public ServeCommand(Output output) {
        super(output);
    }

    @Override
    public int run() throws IOException {
        if (followsLinks()) {
            throw new UsageException("serve follows no links out of its folder: --follow-links cannot be used with it");
        }
        ServerOptions options = ServerOptions.defaults()
                .withHost(host)
                .withPort(port)
                .withHostNames(hostNames)
                .withFailures(output()::printMessage);
        ZarrOptions zarrOptions = options();
        try (Store store = Zarr.openStore(url, zarrOptions)) {
            checkFolder(store);
            Optional<ViewerLinks> links = noLinks ? Optional.empty() : ViewerLinks.find(store, zarrOptions);
            List<String> allowedOrigins = new ArrayList<>(origins);
            if (links.isPresent()) {
                allowedOrigins.addAll(ViewerLinks.origins());
            }
            DataServer.limitProcess();
            try (DataServer server = DataServer.start(store, options.withOrigins(allowedOrigins))) {
                output().printLine("serving " + store.describe() + " at " + server.url() + " (Ctrl-C ends it)");
                links.ifPresent(viewerLinks -> viewerLinks.linkLines(server).forEach(output()::printLine));
                output().flush();
                awaitEnd(server);
            }
        }
        return 0;
    }

    /** Throws if the store is a local folder that does not exist. Its server would answer all requests with 404. */
    private static void checkFolder(Store store) throws IOException {
        if (store instanceof FileStore files && !Files.isDirectory(files.root())) {
            throw Files.exists(files.root())
                    ? new NotDirectoryException(files.root() + " is not a folder")
                    : new NotDirectoryException(files.root() + " does not exist");
        }
    }

    /**
     * Waits until a signal ends the process or this thread is interrupted. A signal closes the port before the process
     * ends.
     */
    private static void awaitEnd(DataServer server) {
        Thread hook = new Thread(server::close, "shardkit-serve-end");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            new CountDownLatch(1).await(); // only an interrupt ends this wait
        } catch (InterruptedException e) {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
    }
}
