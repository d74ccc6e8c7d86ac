package dev.shardkit.cli;

import dev.shardkit.cli.print.WrongUse;
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
 * The arguments of the process. Without a UTF-8 locale, as in containers and cron jobs, Java replaces each byte that is
 * not ASCII by U+FFFD. Linux still has the bytes, in {@code /proc/self/cmdline}. Stateless.
 */
final class Arguments {
    /** What to do if Java cannot decode an argument or encode a path. */
    static final String ADVICE =
            "set the environment variable LC_ALL=C.UTF-8 (or another UTF-8 locale) and run the " + "command again";

    private static final char REPLACEMENT = '\uFFFD';
    private static final Path BYTES = Path.of("/proc/self/cmdline");

    private Arguments() {}

    /** Returns the arguments in UTF-8. Those that cannot be recovered stay as they are. */
    static String[] decoded(String[] args) {
        if (!hasReplacement(args) || !Files.isReadable(BYTES)) {
            return args;
        }
        try {
            return decoded(args, Files.readAllBytes(BYTES));
        } catch (IOException e) {
            return args;
        }
    }

    /**
     * Returns the arguments in UTF-8.
     *
     * @param line the command line of the process: its words, each with a zero at its end
     */
    static String[] decoded(String[] args, byte[] line) {
        List<byte[]> words = new ArrayList<>();
        int from = 0;
        for (int i = 0; i < line.length; i++) {
            if (line[i] == 0) {
                words.add(Arrays.copyOfRange(line, from, i));
                from = i + 1;
            }
        }
        int first = words.size() - args.length;
        String[] decoded = args.clone();
        for (int i = 0; i < args.length && first >= 0; i++) {
            byte[] bytes = words.get(first + i);
            if (new String(bytes, StandardCharsets.US_ASCII).equals(args[i])) {
                decoded[i] = utf8(bytes, args[i]);
            }
        }
        return decoded;
    }

    private static String utf8(byte[] bytes, String otherwise) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return otherwise;
        }
    }

    /**
     * Refuses arguments that Java could not decode: their text would be stored.
     *
     * @throws WrongUse naming the argument
     */
    static void refuseUndecoded(String[] args) {
        for (String arg : args) {
            if (arg.indexOf(REPLACEMENT) >= 0) {
                throw new WrongUse("the argument " + arg + " holds U+FFFD, which stands for bytes that are no text in "
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
