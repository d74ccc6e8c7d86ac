package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.IntegerFormat;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.type.CoreTypes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongFunction;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;

/** How the stored elements of a variable become values, in the order in which xarray decodes them. Immutable. */
final class Decoding {
    /** The longest attribute that is tried as base64. */
    private static final int MAX_BASE64 = 1 << 16;

    private static final Pattern BASE64 =
            Pattern.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?");
    /** No charset has a longer name, or one with other characters. */
    private static final Pattern CHARSET_NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.:+-]{0,60}");
    /** The data type of texts as bytes, with zeros behind them; with one byte, of single characters. */
    private static final String CHARACTERS = "null_terminated_bytes";
    /** The units of time spans that xarray decodes, in nanoseconds. */
    private static final Map<String, Long> SPANS = Map.of(
            "days", 86_400_000_000_000L,
            "hours", 3_600_000_000_000L,
            "minutes", 60_000_000_000L,
            "seconds", 1_000_000_000L,
            "milliseconds", 1_000_000L,
            "microseconds", 1_000L,
            "nanoseconds", 1L);
    /** The units of NumPy's times whose length is fixed, in nanoseconds. */
    private static final Map<String, Long> STEPS = Map.of(
            "W", 604_800_000_000_000L,
            "D", 86_400_000_000_000L,
            "h", 3_600_000_000_000L,
            "m", 60_000_000_000L,
            "s", 1_000_000_000L,
            "ms", 1_000_000L,
            "us", 1_000L,
            "ns", 1L);

    private final CfKind kind;
    /** How stored numbers become other numbers; empty for other elements, and for NumPy's times and time spans. */
    private final Optional<MaskAndScale> packing;
    /** The units of moments; empty for other kinds. */
    private final Optional<CfTimeUnits> units;
    /** The unit of time spans in nanoseconds; 0 for other kinds. */
    private final long span;
    /** Whether the last dimension of the array counts the characters of a text. */
    private final boolean stacksCharacters;

    private final DataType stored;
    /** The charset of texts that are stored as bytes. */
    private final Charset charset;
    /** The texts of missing elements. */
    private final Set<String> missingTexts;

    private Decoding(
            DataType stored,
            CfKind kind,
            Optional<MaskAndScale> packing,
            Optional<CfTimeUnits> units,
            long span,
            boolean stacksCharacters) {
        this(stored, kind, packing, units, span, stacksCharacters, StandardCharsets.UTF_8, Set.of());
    }

    private Decoding(
            DataType stored,
            CfKind kind,
            Optional<MaskAndScale> packing,
            Optional<CfTimeUnits> units,
            long span,
            boolean stacksCharacters,
            Charset charset,
            Set<String> missingTexts) {
        this.stored = stored;
        this.kind = kind;
        this.packing = packing;
        this.units = units;
        this.span = span;
        this.stacksCharacters = stacksCharacters;
        this.charset = charset;
        this.missingTexts = missingTexts;
    }

    /**
     * Returns how a variable is decoded.
     *
     * @param attributes its attributes; bounds have the units of their coordinate
     * @param isCharacters whether the last dimension counts characters
     */
    static Decoding of(
            DataType type, Json.Obj attributes, boolean isCharacters, CfOptions options, Consumer<String> notes) {
        if (type.name().equals("numpy.datetime64") || type.name().equals("numpy.timedelta64")) {
            return numpy(type, notes);
        } else if (type.carrier() == Carrier.STRING || type.carrier() == Carrier.UTF32 || isText(type)) {
            Charset charset = isText(type) ? charset(attributes, notes) : StandardCharsets.UTF_8;
            return new Decoding(
                    type,
                    CfKind.TEXT,
                    Optional.empty(),
                    Optional.empty(),
                    0,
                    isCharacters,
                    charset,
                    missingTexts(type, attributes, charset));
        } else if (type.equals(CoreTypes.BOOL)) {
            return new Decoding(type, CfKind.BOOLEAN, Optional.empty(), Optional.empty(), 0, false);
        } else if (type.number().isEmpty()
                || type.elementSize().orElse(0) != type.carrier().wordSize()) {
            return new Decoding(type, CfKind.OTHER, Optional.empty(), Optional.empty(), 0, false);
        }
        Optional<String> unit = AttributeValues.text(attributes, "units");
        Optional<CfTimeUnits> since = CfTimeUnits.of(attributes);
        if (since.isEmpty() && unit.filter(text -> text.contains(" since ")).isPresent()) {
            notes.accept("times are not decoded: expected units such as \"days since 2000-01-01\" and a calendar of the"
                    + " conventions, found units " + MaskAndScale.shortened(Json.of(unit.get()))
                    + attributes
                            .get("calendar")
                            .map(calendar -> " and calendar " + MaskAndScale.shortened(calendar))
                            .orElse(""));
        }
        Optional<String> dtype = AttributeValues.text(attributes, "dtype");
        boolean isSpan = dtype.filter(text -> text.startsWith("timedelta64")).isPresent()
                && unit.filter(SPANS::containsKey).isPresent();
        MaskAndScale.TimeUnits timeUnits = MaskAndScale.TimeUnits.NONE;
        if (since.isPresent() || isSpan) {
            timeUnits = MaskAndScale.TimeUnits.DECODED;
        } else if (unit.filter(SPANS::containsKey).isPresent()) {
            timeUnits = MaskAndScale.TimeUnits.STATED;
        }
        MaskAndScale packing = MaskAndScale.of(type, attributes, timeUnits, options, notes);
        CfKind kind;
        if (since.isPresent()) {
            kind = CfKind.TIME;
        } else if (isSpan) {
            kind = CfKind.DURATION;
        } else {
            kind = dtype.filter("bool"::equals).isPresent() ? CfKind.BOOLEAN : CfKind.NUMBER;
        }
        return new Decoding(type, kind, Optional.of(packing), since, isSpan ? SPANS.get(unit.get()) : 0, false);
    }

    /** Returns the charset that {@code _Encoding} names, also by a name of Python; without one, UTF-8. */
    private static Charset charset(Json.Obj attributes, Consumer<String> notes) {
        Optional<Json> stated = attributes.get("_Encoding");
        if (stated.isEmpty()) {
            return StandardCharsets.UTF_8;
        }
        String name = stated.get() instanceof Json.Str text ? text.value() : "";
        // the names of Python that Java lacks: utf_8 and latin-1 are utf-8 and latin1 there, utf-16-le is utf-16le
        String hyphens = name.replace('_', '-');
        for (String form : List.of(name, hyphens, hyphens.replace("-", ""), hyphens.replaceAll("-(?=..$)", ""))) {
            if (CHARSET_NAME.matcher(form).matches() && Charset.isSupported(form)) {
                Charset charset = Charset.forName(form);
                if (charset.canEncode()) {
                    return charset;
                }
            }
        }
        notes.accept("_Encoding is ignored, and texts are read as UTF-8: expected a charset that Java has, found "
                + MaskAndScale.shortened(stated.get()));
        return StandardCharsets.UTF_8;
    }

    /** Returns whether elements are texts, or parts of texts, as bytes. */
    static boolean isText(DataType type) {
        return type.name().equals(CHARACTERS);
    }

    /** Returns whether elements are single characters, as in NetCDF. */
    static boolean isCharacter(DataType type) {
        return isText(type) && type.elementSize().orElse(0) == 1;
    }

    private static Decoding numpy(DataType type, Consumer<String> notes) {
        Optional<Long> step = AttributeValues.text(type.configuration(), "unit").map(STEPS::get);
        long factor = type.configuration()
                .get("scale_factor")
                .flatMap(AttributeValues::number)
                .map(number -> Long.parseLong(number.lexeme()))
                .orElse(1L);
        if (step.isEmpty() || step.get() > Long.MAX_VALUE / factor) {
            notes.accept("times are not decoded: steps of " + type.configuration() + " have no fixed length");
            return new Decoding(type, CfKind.OTHER, Optional.empty(), Optional.empty(), 0, false);
        }
        long length = step.get() * factor;
        return type.name().equals("numpy.datetime64")
                ? new Decoding(
                        type, CfKind.TIME, Optional.empty(), Optional.of(CfTimeUnits.sinceEpoch(length)), 0, false)
                : new Decoding(type, CfKind.DURATION, Optional.empty(), Optional.empty(), length, false);
    }

    /** Returns whether the elements are texts, some of which can be missing. */
    boolean hasMissingTexts() {
        return !missingTexts.isEmpty();
    }

    CfKind kind() {
        return kind;
    }

    Optional<CfTimeUnits> units() {
        return units;
    }

    boolean stacksCharacters() {
        return stacksCharacters;
    }

    /** Returns the data type of decoded elements: moments and time spans are numbers. */
    DataType valueType() {
        return switch (kind) {
            case TEXT -> CoreTypes.STRING;
            case BOOLEAN -> CoreTypes.BOOL;
            case OTHER -> stored;
            case NUMBER, TIME, DURATION -> packing.map(MaskAndScale::valueType).orElse(CoreTypes.INT64);
        };
    }

    /** Returns whether numbers are those that are stored, or equal to them. */
    boolean keepsNumbers() {
        return kind == CfKind.NUMBER && packing.filter(p -> !p.isScaled()).isPresent();
    }

    /** Decodes elements with these dimensions. */
    CfValues decode(NdArray raw, List<String> dimensions) {
        if (kind == CfKind.TEXT) {
            NdArray texts = texts(raw);
            return new CfValues(kind, dimensions, texts, missing(texts.strings()), CfValues.Meaning.NONE);
        } else if (packing.isEmpty()) {
            return plain(raw, dimensions);
        }
        MaskAndScale.Decoded decoded = packing.get().decode(raw);
        NdArray values = kind == CfKind.BOOLEAN ? booleans(decoded) : decoded.values();
        Optional<boolean[]> missing = kind == CfKind.BOOLEAN ? Optional.empty() : decoded.missing();
        return new CfValues(kind, dimensions, values, missing, meaning(values));
    }

    /**
     * Encodes numbers, as {@link MaskAndScale#encode} does.
     *
     * @throws IllegalArgumentException if the variable has other elements than numbers
     */
    NdArray encode(double[] values, DataType stored, long[] shape, String location) {
        if (kind != CfKind.NUMBER || packing.isEmpty()) {
            throw new IllegalArgumentException(
                    location + ": expected a variable of numbers, found elements of the kind " + kind);
        }
        return packing.get().encode(values, stored, shape, location);
    }

    /**
     * Encodes moments as numbers in the units of the variable; floating-point numbers are rounded to the nearest.
     *
     * @throws IllegalArgumentException if the variable has no times, its data type cannot hold a number exactly, or a
     *     moment is missing and there is no value for that
     */
    NdArray encodeTimes(List<Optional<CfDateTime>> times, DataType stored, long[] shape, String location) {
        checkSteps(CfKind.TIME, location);
        CfTimeUnits of = units.orElseThrow();
        return encodeSteps(times, time -> of.number(time), time -> of.roundedNumber(time), stored, shape, location);
    }

    /** Encodes time spans, as {@link #encodeTimes} encodes moments. */
    NdArray encodeDurations(List<Optional<Duration>> spans, DataType stored, long[] shape, String location) {
        checkSteps(CfKind.DURATION, location);
        BigDecimal step = BigDecimal.valueOf(span);
        return encodeSteps(
                spans,
                one -> divided(nanos(one), step),
                one -> nanos(one).divide(step, MathContext.DECIMAL128).doubleValue(),
                stored,
                shape,
                location);
    }

    private static BigDecimal nanos(Duration span) {
        return BigDecimal.valueOf(span.getSeconds()).movePointRight(9).add(BigDecimal.valueOf(span.getNano()));
    }

    private static Optional<BigDecimal> divided(BigDecimal nanos, BigDecimal step) {
        try {
            return Optional.of(nanos.divide(step));
        } catch (ArithmeticException e) {
            return Optional.empty(); // such as 20 minutes in hours: 0.333...
        }
    }

    private void checkSteps(CfKind expected, String location) {
        if (kind != expected || packing.filter(MaskAndScale::isScaled).isPresent()) {
            throw new IllegalArgumentException(location + ": expected a variable of the kind " + expected
                    + ", as numbers that are not scaled," + " found elements of the kind " + kind);
        }
    }

    /**
     * Encodes moments or time spans.
     *
     * @param exact returns the number of a step in the variable's units; empty if it has no finite decimal form
     * @param rounded returns this number, rounded to the nearest {@code double}
     */
    private <T> NdArray encodeSteps(
            List<Optional<T>> steps,
            Function<T, Optional<BigDecimal>> exact,
            ToDoubleFunction<T> rounded,
            DataType stored,
            long[] shape,
            String location) {
        DataType numbers = packing.isEmpty() ? CoreTypes.INT64 : stored; // times of NumPy are counted in 64 bits
        boolean isWhole = numbers.number().orElseThrow() instanceof IntegerFormat;
        NumberArrayBuilder target = new NumberArrayBuilder(numbers, steps.size(), location);
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i).isEmpty()) {
                setMissingStep(target, i, isWhole, location);
            } else if (isWhole) {
                T step = steps.get(i).get();
                target.set(i, whole(exact.apply(step), numbers, step, location));
            } else {
                T step = steps.get(i).get();
                target.set(
                        i, exact.apply(step).map(BigDecimal::doubleValue).orElseGet(() -> rounded.applyAsDouble(step)));
            }
        }
        return NdArray.of(numbers, shape, target.array());
    }

    private void setMissingStep(NumberArrayBuilder target, int i, boolean isWhole, String location) {
        if (packing.isEmpty()) {
            target.set(i, Long.MIN_VALUE); // NaT
        } else if (!packing.get().setMissing(target, i)) {
            if (isWhole) {
                throw new IllegalArgumentException(
                        location + ": expected an attribute _FillValue for the missing element at index " + i);
            }
            target.set(i, Double.NaN);
        }
    }

    private static long whole(Optional<BigDecimal> number, DataType stored, Object step, String location) {
        IntegerFormat format = (IntegerFormat) stored.number().orElseThrow();
        BigInteger least =
                format.isSigned() ? BigInteger.ONE.shiftLeft(format.bits() - 1).negate() : BigInteger.ZERO;
        BigInteger end = least.add(BigInteger.ONE.shiftLeft(format.bits()));
        Optional<BigInteger> exact = number.filter(n -> n.stripTrailingZeros().scale() <= 0)
                .map(BigDecimal::toBigInteger)
                .filter(n -> n.compareTo(least) >= 0 && n.compareTo(end) < 0);
        return exact.orElseThrow(() -> new IllegalArgumentException(location
                        + ": expected elements that " + stored.name() + " can hold in the variable's units, found "
                        + step
                        + ", which is " + number.map(BigDecimal::toPlainString).orElse("no decimal number")
                        + " of them"))
                .longValue();
    }

    /**
     * Encodes texts, those of bytes in their charset with zeros behind them.
     *
     * @param shape the shape of the texts
     * @param characters the number of characters of a text whose characters are elements
     * @throws IllegalArgumentException if the variable has no texts, one has more bytes than fit, or characters that
     *     the charset lacks
     */
    NdArray encodeTexts(List<String> texts, DataType stored, long[] shape, long characters, String location) {
        if (kind != CfKind.TEXT) {
            throw new IllegalArgumentException(
                    location + ": expected a variable of texts, found elements of the kind " + kind);
        } else if (!isText(stored)) {
            return NdArray.of(stored, shape, texts.toArray(new String[0]));
        }
        int size = stacksCharacters
                ? Math.toIntExact(characters)
                : stored.elementSize().orElseThrow();
        byte[] bytes = new byte[Math.multiplyExact(texts.size(), size)];
        CharsetEncoder encoder = charset.newEncoder();
        for (int i = 0; i < texts.size(); i++) {
            if (!encoder.canEncode(texts.get(i))) {
                throw new IllegalArgumentException(location + ": expected texts with characters of " + charset.name()
                        + ", found \"" + texts.get(i) + "\" at index " + i);
            }
            byte[] text = texts.get(i).getBytes(charset);
            if (text.length > size) {
                throw new IllegalArgumentException(location + ": expected texts of at most " + size + " bytes, found \""
                        + texts.get(i) + "\" at index " + i);
            }
            System.arraycopy(text, 0, bytes, i * size, text.length);
        }
        long[] all = stacksCharacters ? Arrays.copyOf(shape, shape.length + 1) : shape;
        if (stacksCharacters) {
            all[shape.length] = characters;
        }
        return NdArray.of(stored, all, bytes);
    }

    /**
     * Encodes booleans; those of integers with {@code dtype = "bool"} as 0 and 1.
     *
     * @throws IllegalArgumentException if the variable has no booleans
     */
    NdArray encodeBooleans(boolean[] values, DataType stored, long[] shape, String location) {
        if (kind != CfKind.BOOLEAN) {
            throw new IllegalArgumentException(
                    location + ": expected a variable of booleans, found elements of the kind " + kind);
        } else if (packing.isEmpty()) {
            return NdArray.of(stored, shape, values);
        }
        NumberArrayBuilder target = new NumberArrayBuilder(stored, values.length, location);
        for (int i = 0; i < values.length; i++) {
            target.set(i, values[i] ? 1L : 0L);
        }
        return NdArray.of(stored, shape, target.array());
    }

    /** Decodes elements to which no attributes apply: NumPy's times and time spans, booleans, and other data types. */
    private CfValues plain(NdArray raw, List<String> dimensions) {
        if (kind != CfKind.TIME && kind != CfKind.DURATION) {
            return new CfValues(kind, dimensions, raw, Optional.empty(), CfValues.Meaning.NONE);
        }
        NdArray steps = NdArray.of(CoreTypes.INT64, raw.shape(), raw.array());
        boolean[] missing = new boolean[((long[]) raw.array()).length];
        for (int i = 0; i < missing.length; i++) {
            missing[i] = ((long[]) raw.array())[i] == Long.MIN_VALUE;
        }
        return new CfValues(kind, dimensions, steps, Optional.of(missing), meaning(steps));
    }

    private CfValues.Meaning meaning(NdArray values) {
        if (kind != CfKind.TIME && kind != CfKind.DURATION) {
            return CfValues.Meaning.NONE;
        }
        NumberArrayReader numbers = NumberArrayReader.of(values);
        IntFunction<Optional<CfDateTime>> times =
                kind == CfKind.TIME ? times(numbers, units.orElseThrow()) : i -> Optional.empty();
        IntFunction<Optional<Duration>> durations = i -> isNat(numbers, i) ? Optional.empty() : duration(numbers, i);
        return kind == CfKind.TIME
                ? new CfValues.Meaning(times, i -> Optional.empty())
                : new CfValues.Meaning(i -> Optional.empty(), durations);
    }

    private static IntFunction<Optional<CfDateTime>> times(NumberArrayReader numbers, CfTimeUnits units) {
        LongFunction<Optional<CfDateTime>> integers = units.integerTimes();
        return i -> {
            if (isNat(numbers, i)) {
                return Optional.empty();
            } else if (!numbers.isWhole()) {
                return units.time(numbers.number(i));
            }
            boolean isSigned = ((IntegerFormat) numbers.format()).isSigned();
            long number = numbers.whole(i);
            return isSigned || number >= 0 ? integers.apply(number) : units.time(numbers.exact(i));
        };
    }

    private static boolean isNat(NumberArrayReader numbers, int i) {
        return numbers.isWhole() ? numbers.whole(i) == Long.MIN_VALUE : !Double.isFinite(numbers.number(i));
    }

    /** Returns a time span; one in floating-point numbers is rounded towards zero to the nanosecond, as in xarray. */
    private Optional<Duration> duration(NumberArrayReader numbers, int i) {
        double rounded = numbers.isWhole() ? 0 : numbers.number(i) * span;
        if (Double.isInfinite(rounded)) {
            return Optional.empty();
        }
        BigDecimal nanos =
                numbers.isWhole() ? numbers.exact(i).multiply(BigDecimal.valueOf(span)) : new BigDecimal(rounded);
        BigDecimal seconds = nanos.movePointLeft(9);
        if (seconds.precision() - seconds.scale() > 18) { // a Duration holds 18 digits of seconds for certain
            return Optional.empty();
        }
        long whole = seconds.longValue();
        return Optional.of(Duration.ofSeconds(
                whole,
                nanos.subtract(BigDecimal.valueOf(whole).movePointRight(9)).longValue()));
    }

    private static NdArray booleans(MaskAndScale.Decoded decoded) {
        NumberArrayReader numbers = NumberArrayReader.of(decoded.values());
        boolean[] values =
                new boolean[java.lang.reflect.Array.getLength(decoded.values().array())];
        for (int i = 0; i < values.length; i++) {
            values[i] = numbers.number(i) != 0; // NaN is true, as in NumPy
        }
        return NdArray.of(CoreTypes.BOOL, decoded.values().shape(), values);
    }

    /**
     * Returns the texts of missing elements. If elements are bytes, the attribute may hold the text itself, as in
     * NetCDF, or the text in base64, as xarray writes it to Zarr; both forms count.
     */
    private static Set<String> missingTexts(DataType type, Json.Obj attributes, Charset charset) {
        Set<String> missing = new HashSet<>();
        for (String name : List.of("_FillValue", "missing_value")) {
            Optional<String> stated = AttributeValues.text(attributes, name);
            stated.ifPresent(missing::add);
            stated.filter(text -> isText(type)
                            && text.length() <= MAX_BASE64
                            && BASE64.matcher(text).matches())
                    .ifPresent(
                            text -> missing.add(new String(Base64.getDecoder().decode(text), charset)));
        }
        return Set.copyOf(missing);
    }

    /** Returns which texts are missing; empty if none can be. */
    private Optional<boolean[]> missing(String[] texts) {
        if (missingTexts.isEmpty()) {
            return Optional.empty();
        }
        boolean[] missing = new boolean[texts.length];
        for (int i = 0; i < missing.length; i++) {
            missing[i] = missingTexts.contains(texts[i]);
        }
        return Optional.of(missing);
    }

    /** Returns texts. Those that are stored as bytes end before their trailing zeros and are read in their charset. */
    private NdArray texts(NdArray raw) {
        if (raw.array() instanceof String[] own) {
            return NdArray.of(CoreTypes.STRING, raw.shape(), own);
        }
        long[] shape = raw.shape();
        long[] outer = stacksCharacters ? Arrays.copyOf(shape, shape.length - 1) : shape;
        int size = stacksCharacters
                ? (int) shape[shape.length - 1]
                : raw.dataType().elementSize().orElseThrow();
        byte[] bytes = raw.bytes();
        int unit = "aa".getBytes(charset).length - "a".getBytes(charset).length; // 2 in UTF-16, whose "a" ends with 0
        String[] texts = new String[Math.toIntExact(Arrays.stream(outer).reduce(1, Math::multiplyExact))];
        for (int i = 0; i < texts.length; i++) {
            int end = (i + 1) * size;
            while (end > i * size && bytes[end - 1] == 0) {
                end--;
            }
            int length = Math.min((end - i * size + unit - 1) / unit * unit, size);
            texts[i] = new String(bytes, i * size, length, charset);
        }
        return NdArray.of(CoreTypes.STRING, outer, texts);
    }
}
