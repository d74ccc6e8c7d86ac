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

    /**
     * Registers converters so that a command parses its enum values in this spelling. Capitals and underscores are
     * accepted too.
     */
    public static void register(CommandSpec command) {
        arguments(command).forEach(argument -> enumType(argument).ifPresent(enumType -> register(command, enumType)));
    }

    private static <E> void register(CommandSpec command, Class<E> enumType) {
        command.commandLine().registerConverter(enumType, word -> parse(enumType, word));
    }

    private static <E> E parse(Class<E> enumType, String word) {
        return Arrays.stream(enumType.getEnumConstants())
                .filter(constant -> spelling(constant).equals(normalized(word)))
                .findFirst()
                .orElseThrow(() ->
                        new TypeConversionException("expected " + joinWithOr(spellings(enumType)) + ", found " + word));
    }

    /** Makes completion offer the values in this spelling. Changes the model. */
    static void offerInCompletion(CommandSpec command) {
        for (ArgSpec argument : List.copyOf(arguments(command).toList())) {
            enumType(argument).map(EnumWords::spellings).ifPresent(words -> {
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

    /** Returns the enum that is the type of an argument, or of its items if it is a list. */
    private static Optional<Class<?>> enumType(ArgSpec argument) {
        return Arrays.<Class<?>>stream(argument.auxiliaryTypes())
                .filter(Class::isEnum)
                .findFirst();
    }

    private static String joinWithOr(List<String> words) {
        int last = words.size() - 1;
        return last < 1 ? words.get(0) : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }

    private static List<String> spellings(Class<?> enumType) {
        return Arrays.stream(enumType.getEnumConstants())
                .map(EnumWords::spelling)
                .toList();
    }

    private static String spelling(Object constant) {
        return normalized(((Enum<?>) constant).name());
    }

    private static String normalized(String word) {
        return word.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
