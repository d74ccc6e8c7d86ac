package dev.shardkit.cli.print.elements;

import dev.shardkit.ZarrArray;
import dev.shardkit.cf.CfTimeUnits;
import dev.shardkit.cli.print.UsageException;
import dev.shardkit.spi.array.FloatingFormat;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.array.NumberFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.MissingValues;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * The option {@code --decode-times}: prints numbers with units of time (CF conventions, section 4.4) as dates and
 * times.
 */
public final class DecodeTimesOption {
    @Option(
            names = "--decode-times",
            description =
                    "Print numbers whose attribute units is such as 'days since 2000-01-01' as dates and times, in "
                            + "the calendar of the attribute calendar. Missing elements are NaT.")
    private boolean isEnabled;

    /** Formats an element as a date and time. */
    public interface Decoder {
        /** Returns the JSON form of the element with these little-endian bytes. */
        Json toJson(byte[] bytes);
    }

    /** Returns a decoder of times; empty unless the option is set. */
    public Optional<Decoder> decoder(ZarrArray array) {
        if (!isEnabled) {
            return Optional.empty();
        }
        Json.Obj attributes = array.attributes();
        Optional<CfTimeUnits> units = CfTimeUnits.of(attributes);
        Optional<NumberFormat> format = array.dataType().number();
        boolean isPacked = attributes.get("scale_factor").isPresent()
                || attributes.get("add_offset").isPresent();
        if (units.isEmpty() || format.isEmpty() || isPacked) {
            throw new UsageException(
                    "--decode-times: expected numbers with the attribute units such as 'days since 2000-01-01' and "
                            + "a calendar of the CF conventions, found "
                            + (isPacked
                                    ? "scale_factor or add_offset"
                                    : array.dataType().name() + " with "
                                            + attributes
                                                    .get("units")
                                                    .map(value -> "units " + value)
                                                    .orElse("no units")
                                            + attributes
                                                    .get("calendar")
                                                    .map(value -> " and calendar " + value)
                                                    .orElse("")));
        }
        MissingValues missingValues = MissingValues.of(array.dataType(), attributes);
        return Optional.of(bytes -> {
            long bits = ByteBuffer.wrap(Arrays.copyOf(bytes, Long.BYTES))
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getLong();
            return missingValues.contains(bits) ? Json.of("NaT") : toJson(units.get(), format.get(), bits);
        });
    }

    /** Returns a number as a time, or as a number if it is outside the range of times. */
    private static Json toJson(CfTimeUnits units, NumberFormat format, long bits) {
        if (format instanceof IntegerFormat integers) {
            String number = integers.text(integers.value(bits));
            return units.text(new BigDecimal(number)).map(Json::of).orElse(new Json.Num(number));
        }
        double value = ((FloatingFormat) format).value(((FloatingFormat) format).cut(bits));
        return Double.isFinite(value)
                ? units.text(new BigDecimal(value)).map(Json::of).orElse(Json.of(value))
                : Json.of("NaT");
    }
}
