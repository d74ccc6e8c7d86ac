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
import dev.shardkit.cli.print.UsageErrors;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.cli.shell.EnumWords;
import dev.shardkit.spi.error.StoreException;
import java.io.File;
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
    private static final int READER_CLOSED_PIPE = 141;

    /** The JDK's reason for a path that cannot be encoded in the environment's encoding. */
    private static final String UNMAPPABLE = "Malformed input or input contains unmappable characters";

    private final Output output;
    private final RootCommand root;
    private final CommandLine line;
    private final String[] args;

    private Main(Output output, String[] args) {
        this.output = output;
        this.args = args;
        this.root = new RootCommand(output);
        this.line = commandLine(root, neededCommands(output, args));
        line.setExpandAtFiles(false);
        line.setOut(output.writer());
        line.setExecutionStrategy(this::runWithPlugins);
        line.setParameterExceptionHandler((e, ignored) -> reportWrongUse(e));
        line.setExecutionExceptionHandler((e, command, parsed) -> reportFailure(e, command.getCommand()));
    }

    /** Returns picocli's model of some commands, with the converters of their options. */
    private static CommandLine commandLine(RootCommand root, List<ShardkitCommand> commands) {
        CommandLine line = new CommandLine(root);
        commands.forEach(line::addSubcommand);
        line.registerConverter(URI.class, Options::url);
        line.registerConverter(Lengths.class, Lengths::parse);
        line.registerConverter(PageDimensions.class, PageDimensions::parse);
        line.setHelpFactory(ShortHelp::new);
        if (File.separatorChar == '\\' && System.console() == null) {
            // Where Git Bash sets TERM, picocli takes pipes and files for terminals.
            line.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
        }
        line.getSubcommands().values().forEach(command -> root.format().addAlias(command.getCommandSpec()));
        line.getSubcommands().values().forEach(command -> EnumWords.register(command.getCommandSpec()));
        return line;
    }

    /** Returns the model of all commands. */
    static CommandLine commands(Output output) {
        return commandLine(new RootCommand(output), Commands.createAll(output));
    }

    /**
     * Returns the command that {@code args} start with, or all commands, which help and error messages need. Building
     * the model of every command takes noticeable start-up time.
     */
    private static List<ShardkitCommand> neededCommands(Output output, String[] args) {
        return args.length > 0 && Commands.has(args[0])
                ? List.of(Commands.create(args[0], output))
                : Commands.createAll(output);
    }

    /** Runs the command and ends the process with its exit status. */
    public static void main(String[] args) {
        TemporaryPaths.removeAtEnd();
        System.exit(run(
                ArgumentRecovery.decode(args),
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
            return status == 0 ? main.reportFailure(e, main.root) : status;
        }
        return status;
    }

    /** Runs the command. Reports the failures that picocli does not handle. */
    private int execute(String[] args) {
        try {
            ArgumentRecovery.refuseUndecoded(args);
            return line.execute(args);
        } catch (UsageException e) {
            return reportFailure(e, root);
        } catch (OutOfMemoryError e) {
            output.printMessage(HeapSizeMessage.heapExhausted());
            if (root.debug()) {
                output.printStackTrace(e);
            }
            // The exception has no command: the parsed arguments tell which one ran.
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
    private int runWithPlugins(CommandLine.ParseResult parsed) {
        Set<Path> jars;
        try {
            jars = root.pluginJars();
        } catch (UsageException e) {
            return reportFailure(e, root);
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
            return reportFailure(e, root); // the jars could not be closed
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private int reportWrongUse(CommandLine.ParameterException e) {
        output.printMessage(UsageErrors.message(e, commands(output)));
        if (root.debug()) {
            output.printStackTrace(e);
        }
        return WRONG_USE;
    }

    /** Prints the message of a failure, and advice, and returns the exit status. */
    private int reportFailure(Throwable e, ShardkitCommand command) {
        if (isPipeClosed(e)) {
            return READER_CLOSED_PIPE;
        } else if (TemporaryPaths.isEnding()) {
            return command.faultStatus(); // the signal is the reason, and sets the status
        } else if (e instanceof UsageException) {
            output.printMessage(e.getMessage());
        } else if (e instanceof UncheckedIOException || e instanceof IOException) {
            output.printMessage(fileMessage(e));
        } else {
            output.printMessage(message(e));
        }
        if (e instanceof StoreException || e instanceof IOException || e instanceof UncheckedIOException) {
            command.adviceAfterFailure(Interrupts.quotedLine(args)).ifPresent(output::printMessage);
        }
        if (root.debug()) {
            output.printStackTrace(e);
        }
        return e instanceof UsageException
                        || e instanceof IllegalArgumentException
                        || e instanceof IndexOutOfBoundsException
                ? WRONG_USE
                : command.faultStatus();
    }

    private static boolean isPipeClosed(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(Output.ClosedPipeException.class::isInstance);
    }

    /** Returns the message of an exception, without its class, which the stack trace shows. */
    private static String message(Throwable e) {
        String message = e.getMessage() == null
                ? "failed without a message (" + e.getClass().getSimpleName() + ")"
                : e.getMessage();
        return message.contains(UNMAPPABLE) && !message.contains("LC_ALL")
                ? message + "; " + ArgumentRecovery.ADVICE
                : message;
    }

    /** Returns a message for a file exception. The message of Java's exception is often only the file name. */
    private static String fileMessage(Throwable e) {
        Throwable cause = e instanceof UncheckedIOException && e.getCause() != null ? e.getCause() : e;
        String what = "";
        if (cause instanceof NoSuchFileException) {
            what = "no such file: ";
        } else if (cause instanceof AccessDeniedException) {
            what = "permission denied: ";
        } else if (cause instanceof FileAlreadyExistsException) {
            what = "already exists: ";
        }
        // The message of a FileSystemException names the file; for others, the exception around it says more.
        String before = cause instanceof FileSystemException || e == cause ? "" : e.getMessage() + ": ";
        return before + what + message(cause).replaceFirst("No space left on device$", "the disk is full ($0)");
    }
}
