package dev.shardkit.cli;

import dev.shardkit.cli.base.Interrupts;
import dev.shardkit.cli.base.PluginJars;
import dev.shardkit.cli.base.RootCommand;
import dev.shardkit.cli.base.ShardkitCommand;
import dev.shardkit.cli.base.TemporaryPaths;
import dev.shardkit.cli.option.Lengths;
import dev.shardkit.cli.option.Options;
import dev.shardkit.cli.option.PageDimensions;
import dev.shardkit.cli.print.Output;
import dev.shardkit.cli.print.UsageText;
import dev.shardkit.cli.print.WrongUse;
import dev.shardkit.cli.shell.EnumWords;
import dev.shardkit.spi.error.StoreException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The {@code shardkit} command. Data goes to standard output, messages to standard error, one line each.
 *
 * <p>Exit status: 0 success; 1 an error in the data, a store or the target; 2 wrong usage; 3 a check did not finish. If
 * the reader closes the pipe, shardkit exits silently with status 141 (SIGPIPE).
 */
public final class Main {
    private static final int WRONG_USE = 2;
    private static final int READER_GONE = 141;

    /** The reason of the JDK for a path that the encoding of the environment cannot hold. */
    private static final String UNMAPPABLE = "Malformed input or input contains unmappable characters";

    private final Output output;
    private final RootCommand root;
    private final CommandLine line;
    private final String[] args;

    private Main(Output output, String[] args) {
        this.output = output;
        this.args = args;
        this.root = new RootCommand(output);
        this.line = model(root, needed(output, args));
        line.setExpandAtFiles(false);
        line.setOut(output.writer());
        line.setExecutionStrategy(this::withPlugins);
        line.setParameterExceptionHandler((e, ignored) -> wrong(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command.getCommand()));
    }

    private static CommandLine model(RootCommand root, List<ShardkitCommand> commands) {
        CommandLine line = new CommandLine(root);
        commands.forEach(line::addSubcommand);
        line.registerConverter(URI.class, Options::url);
        line.registerConverter(Lengths.class, Lengths::parse);
        line.registerConverter(PageDimensions.class, PageDimensions::parse);
        line.setHelpFactory(ShortHelp::new);
        line.getSubcommands().values().forEach(command -> root.format().addAlias(command.getCommandSpec()));
        line.getSubcommands().values().forEach(command -> EnumWords.parse(command.getCommandSpec()));
        return line;
    }

    /** Returns the model of all commands. */
    static CommandLine commands(Output output) {
        return model(new RootCommand(output), Commands.all(output));
    }

    /**
     * Returns the command that {@code args} begin with, or all of them for help and errors. Building the model of every
     * command takes noticeable start-up time.
     */
    private static List<ShardkitCommand> needed(Output output, String[] args) {
        return args.length > 0 && Commands.has(args[0])
                ? List.of(Commands.named(args[0], output))
                : Commands.all(output);
    }

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        TemporaryPaths.removeAtEnd();
        System.exit(run(
                Arguments.decoded(args),
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new FileOutputStream(FileDescriptor.err)));
    }

    /** Runs the command within this process and returns its exit status. Does not close the streams. */
    public static int run(String[] args, InputStream in, OutputStream out, OutputStream err) {
        Output output = new Output(in, out, err);
        Main main = new Main(output, args);
        int status = main.execute(args);
        try {
            output.flush();
        } catch (UncheckedIOException e) {
            return status == 0 ? main.failed(e, main.root) : status;
        }
        return status;
    }

    private int execute(String[] args) {
        try {
            Arguments.refuseUndecoded(args);
            return line.execute(args);
        } catch (WrongUse e) {
            return failed(e, root);
        } catch (OutOfMemoryError e) {
            output.message(Memory.full());
            if (root.debug()) {
                output.trace(e);
            }
            CommandLine.ParseResult parsed = line.getParseResult();
            return ((ShardkitCommand) (parsed.hasSubcommand() ? parsed.subcommand() : parsed)
                            .commandSpec()
                            .userObject())
                    .faultStatus();
        }
    }

    /**
     * Runs the parsed command with the plug-ins that the command line names.
     * {@link dev.shardkit.registry.Registry#load()} finds them by the context class loader, also on threads that the
     * command starts.
     */
    private int withPlugins(CommandLine.ParseResult parsed) {
        Set<Path> jars;
        try {
            jars = root.pluginJars();
        } catch (WrongUse e) {
            return failed(e, root);
        }
        if (jars.isEmpty()) {
            return new CommandLine.RunLast().execute(parsed);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader = PluginJars.loader(jars)) {
            thread.setContextClassLoader(loader);
            return new CommandLine.RunLast().execute(parsed);
        } catch (IOException e) {
            return failed(e, root); // the jars could not be closed
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private int wrong(CommandLine.ParameterException e) {
        output.message(UsageText.of(e, commands(output)));
        if (root.debug()) {
            output.trace(e);
        }
        return WRONG_USE;
    }

    private int failed(Throwable e, ShardkitCommand command) {
        if (isReaderGone(e)) {
            return READER_GONE;
        } else if (TemporaryPaths.isEnding()) {
            return command.faultStatus(); // the signal is the reason, and sets the status
        } else if (e instanceof WrongUse) {
            output.message(e.getMessage());
        } else if (e instanceof UncheckedIOException || e instanceof IOException) {
            output.message(file(e));
        } else {
            output.message(text(e));
        }
        if (e instanceof StoreException || e instanceof IOException || e instanceof UncheckedIOException) {
            command.afterFailure(Interrupts.line(args)).ifPresent(output::message);
        }
        if (root.debug()) {
            output.trace(e);
        }
        return e instanceof WrongUse || e instanceof IllegalArgumentException || e instanceof IndexOutOfBoundsException
                ? WRONG_USE
                : command.faultStatus();
    }

    private static boolean isReaderGone(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).anyMatch(Output.ReaderGone.class::isInstance);
    }

    /** Returns the message of an exception. The name of its class is no help; a trace has it. */
    private static String text(Throwable e) {
        String message = e.getMessage() == null
                ? "failed without a message (" + e.getClass().getSimpleName() + ")"
                : e.getMessage();
        return message.contains(UNMAPPABLE) && !message.contains("LC_ALL")
                ? message + "; " + Arguments.ADVICE
                : message;
    }

    /** Returns a message for a file exception. The message of Java's exception is often only the file name. */
    private static String file(Throwable e) {
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        String what = cause instanceof NoSuchFileException
                ? "no such file: "
                : cause instanceof AccessDeniedException
                        ? "permission denied: "
                        : cause instanceof FileAlreadyExistsException ? "already exists: " : "";
        String before = cause instanceof FileSystemException || e == cause ? "" : e.getMessage() + ": ";
        return before + what + text(cause).replaceFirst("No space left on device$", "the disk is full ($0)");
    }
}
