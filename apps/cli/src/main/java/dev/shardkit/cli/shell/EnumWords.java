package dev.shardkit.cli.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.TypeConversionException;

/** The spelling of enum constants on the command line: lower case with hyphens, such as {@code in-place}. */
public final class EnumWords {
    private EnumWords() {}

    /** Has a command parse its enum values in this spelling; in capitals and with underscores they are valid too. */
    public static void parse(CommandSpec command) {
        arguments(command).forEach(argument -> type(argument).ifPresent(type -> register(command, type)));
    }

    private static <E> void register(CommandSpec command, Class<E> type) {
        command.commandLine().registerConverter(type, word -> parse(type, word));
    }

    private static <E> E parse(Class<E> type, String word) {
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> of(constant).equals(plain(word)))
                .findFirst()
                .orElseThrow(() -> new TypeConversionException("expected " + listed(all(type)) + ", found " + word));
    }

    /** Has completion offer the values in this spelling. Changes the model. */
    static void offer(CommandSpec command) {
        for (ArgSpec argument : List.copyOf(arguments(command).toList())) {
            type(argument).map(EnumWords::all).ifPresent(words -> {
                command.remove(argument);
                command.add(
                        argument instanceof OptionSpec option
                                ? OptionSpec.builder(option)
                                        .completionCandidates(words)
                                        .build()
                                : PositionalParamSpec.builder((PositionalParamSpec) argument)
                                        .completionCandidates(words)
                                        .build());
            });
        }
    }

    private static Stream<ArgSpec> arguments(CommandSpec command) {
        return Stream.concat(command.options().stream(), command.positionalParameters().stream());
    }

    private static Optional<Class<?>> type(ArgSpec argument) {
        return Arrays.<Class<?>>stream(argument.auxiliaryTypes())
                .filter(Class::isEnum)
                .findFirst();
    }

    private static String listed(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? words.get(0) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    private static List<String> all(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(EnumWords::of).toList();
    }

    private static String of(Object constant) {
        return plain(((Enum<?>) constant).name());
    }

    private static String plain(String word) {
        return word.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
