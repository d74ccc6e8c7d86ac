package dev.shardkit.cli;

import dev.shardkit.spi.codec.WritePolicy.Order;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Options that maintenance commands share. */
final class Maintenance {
    private Maintenance() {}

    /** Parses an order in its command-line form: {@code as-they-come}. */
    static final class OrderConverter implements ITypeConverter<Order> {
        @Override
        public Order convert(String text) {
            String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
            return Arrays.stream(Order.values())
                    .filter(o -> o.name().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new TypeConversionException("expected c, fortran, morton or as-they-come, found " + text));
        }
    }
}
