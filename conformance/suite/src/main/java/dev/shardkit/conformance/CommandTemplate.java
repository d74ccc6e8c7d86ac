package dev.shardkit.conformance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The command line of a tool under test with its placeholders, such as {@code tool {path} {out} {selection}}. It is
 * split at blanks like in a shell; quotes and backslashes protect blanks. No shell runs it. Immutable.
 */
public final class CommandTemplate {
    private static final String PATH = "{path}";
    private static final String OUT = "{out}";
    private static final String SELECTION = "{selection}";

    private final String text;
    private final List<String> words;
    private final boolean batch;

    private CommandTemplate(String text, List<String> words, boolean batch) {
        this.text = text;
        this.words = words;
        this.batch = batch;
    }

    /**
     * Parses the command line of a tool whose single process answers many questions; it has no placeholders.
     *
     * @throws IllegalArgumentException if a quote is not closed or the command is empty
     */
    public static CommandTemplate parseBatch(String text) {
        List<String> words = split(text);
        if (words.isEmpty()) {
            throw new IllegalArgumentException("the command is empty");
        }
        boolean isBatch = true;
        return new CommandTemplate(text, words, isBatch);
    }

    /**
     * Parses a command line.
     *
     * @throws IllegalArgumentException if a quote is not closed or {@code {path}} or {@code {out}} is missing
     */
    public static CommandTemplate parse(String text) {
        List<String> words = split(text);
        for (String placeholder : List.of(PATH, OUT)) {
            if (words.stream().skip(1).noneMatch(w -> w.contains(placeholder))) {
                throw new IllegalArgumentException("the command needs an argument " + placeholder + ": " + text);
            }
        }
        boolean isBatch = false;
        return new CommandTemplate(text, words, isBatch);
    }

    /** Splits a command line into words. */
    private static List<String> split(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean open = false; // whether a word has begun, which may be empty ("")
        char quote = 0; // the quote that is open, or 0
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                word.append(text.charAt(++i));
                open = true;
            } else if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                open = true;
            } else if (Character.isWhitespace(c)) {
                if (open) {
                    words.add(word.toString());
                }
                word.setLength(0);
                open = false;
            } else {
                word.append(c);
                open = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("the quote " + quote + " is not closed: " + text);
        }
        if (open) {
            words.add(word.toString());
        }
        return List.copyOf(words);
    }

    /** Returns whether one process answers many questions. */
    public boolean isBatch() {
        return batch;
    }

    /** Returns the command line of a batch tool. */
    List<String> words() {
        return words;
    }

    /** Returns whether the tool can read a part of an array. */
    public boolean takesSelection() {
        return batch || words.stream().anyMatch(w -> w.contains(SELECTION));
    }

    /** Returns the command for one array; leaves out the selection's argument if there is no selection. */
    List<String> command(Path path, Path out, Optional<List<SelectionRange>> selection) {
        List<String> command = new ArrayList<>();
        for (String word : words) {
            if (selection.isPresent() || !word.contains(SELECTION)) {
                command.add(word.replace(PATH, path.toString())
                        .replace(OUT, out.toString())
                        .replace(
                                SELECTION,
                                selection.map(SelectionRange::argument).orElse("")));
            }
        }
        return command;
    }

    @Override
    public String toString() {
        return text;
    }
}
