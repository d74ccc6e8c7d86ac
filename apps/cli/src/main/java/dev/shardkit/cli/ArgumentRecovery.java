package dev.shardkit.cli;

import dev.shardkit.cli.print.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Recovers arguments of the process that Java could not decode. Without a UTF-8 locale, as in containers and cron jobs,
 * Java replaces each byte that is not ASCII by U+FFFD. Linux keeps the original bytes in {@code /proc/self/cmdline}.
 * Stateless.
 */
final class ArgumentRecovery {
    /** What to do if Java cannot decode an argument or encode a path. */
    static final String ADVICE =
            "set the environment variable LC_ALL=C.UTF-8 (or another UTF-8 locale) and run the " + "command again";

    private static final char REPLACEMENT = '\uFFFD';
    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

    private ArgumentRecovery() {}

    /** Returns the arguments, decoded as UTF-8. Arguments that cannot be recovered stay unchanged. */
    static String[] decode(String[] args) {
        if (!hasReplacement(args) || !Files.isReadable(COMMAND_LINE)) {
            return args;
        }
        try {
            return decode(args, Files.readAllBytes(COMMAND_LINE));
        } catch (IOException e) {
            return args;
        }
    }

    /**
     * Returns the arguments, decoded as UTF-8.
     *
     * @param commandLine the command line of the process: its words, each followed by a zero byte
     */
    static String[] decode(String[] args, byte[] commandLine) {
        List<byte[]> words = new ArrayList<>();
        int wordStart = 0;
        for (int i = 0; i < commandLine.length; i++) {
            if (commandLine[i] == 0) {
                words.add(Arrays.copyOfRange(commandLine, wordStart, i));
                wordStart = i + 1;
            }
        }
        int firstArgument = words.size() - args.length; // the words before are java, its options and the main class
        String[] result = args.clone();
        for (int i = 0; i < args.length && firstArgument >= 0; i++) {
            byte[] bytes = words.get(firstArgument + i);
            // Decoding as ASCII replaces the same bytes by U+FFFD, so equal texts mean that this word is the argument.
            if (new String(bytes, StandardCharsets.US_ASCII).equals(args[i])) {
                result[i] = decodeUtf8(bytes, args[i]);
            }
        }
        return result;
    }

    private static String decodeUtf8(byte[] bytes, String fallback) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return fallback;
        }
    }

    /**
     * Refuses arguments that Java could not decode, because a command would store the wrong text.
     *
     * @throws UsageException with the argument
     */
    static void refuseUndecoded(String[] args) {
        for (String arg : args) {
            if (arg.indexOf(REPLACEMENT) >= 0) {
                throw new UsageException(
                        "the argument " + arg + " holds U+FFFD, which stands for bytes that are no text in "
                                + "the encoding of this environment (" + System.getProperty("sun.jnu.encoding") + "); "
                                + ADVICE);
            }
        }
    }

    private static boolean hasReplacement(String[] args) {
        for (String arg : args) {
            if (arg.indexOf(REPLACEMENT) >= 0) {
                return true;
            }
        }
        return false;
    }
}
