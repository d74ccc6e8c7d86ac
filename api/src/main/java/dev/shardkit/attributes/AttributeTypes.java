package dev.shardkit.attributes;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.deser.std.NumberDeserializers;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.shardkit.spi.json.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Teaches Jackson the Java classes that attributes may use and that it does not know: optional values, times as text of
 * ISO 8601, and JSON. Jackson's own modules for the first two would bring 170 kB for the same result. Also makes
 * Jackson refuse decimals in the place of an integer, which it would cut off.
 */
final class AttributeTypes {
    private AttributeTypes() {}

    static SimpleModule module() {
        SimpleModule module = new SimpleModule("shardkit");
        integer(module, byte.class, Byte.class, (byte) 0, BigDecimal::byteValueExact);
        integer(module, short.class, Short.class, (short) 0, BigDecimal::shortValueExact);
        integer(module, int.class, Integer.class, 0, BigDecimal::intValueExact);
        integer(module, long.class, Long.class, 0L, BigDecimal::longValueExact);
        time(module, Instant.class, text -> OffsetDateTime.parse(text).toInstant());
        time(module, LocalDate.class, LocalDate::parse);
        time(module, LocalTime.class, LocalTime::parse);
        time(module, LocalDateTime.class, LocalDateTime::parse);
        time(module, OffsetDateTime.class, OffsetDateTime::parse);
        time(module, OffsetTime.class, OffsetTime::parse);
        time(module, ZonedDateTime.class, ZonedDateTime::parse);
        time(module, Duration.class, Duration::parse);
        time(module, Period.class, Period::parse);
        time(module, Year.class, Year::parse);
        time(module, YearMonth.class, YearMonth::parse);
        time(module, MonthDay.class, MonthDay::parse);
        time(module, ZoneOffset.class, ZoneOffset::of);
        time(module, ZoneId.class, ZoneId::of);
        optional(module, Optional.class, Object.class, Optional.empty(), Optional::of, o -> content(o));
        optional(
                module,
                OptionalInt.class,
                Integer.class,
                OptionalInt.empty(),
                OptionalInt::of,
                o -> o.isPresent() ? o.getAsInt() : null);
        optional(
                module,
                OptionalLong.class,
                Long.class,
                OptionalLong.empty(),
                OptionalLong::of,
                o -> o.isPresent() ? o.getAsLong() : null);
        optional(
                module,
                OptionalDouble.class,
                Double.class,
                OptionalDouble.empty(),
                OptionalDouble::of,
                o -> o.isPresent() ? o.getAsDouble() : null);
        module.addSerializer(Json.class, new JsonWriter());
        json(module, Json.class);
        json(module, Json.Obj.class);
        json(module, Json.Arr.class);
        return module;
    }

    private static <T> void integer(
            SimpleModule module, Class<T> primitive, Class<T> boxed, T zero, Function<BigDecimal, T> exact) {
        module.addDeserializer(primitive, new WholeReader<>(primitive, zero, exact));
        module.addDeserializer(boxed, new WholeReader<>(boxed, null, exact));
    }

    private static @Nullable Object content(Optional<?> optional) {
        return optional.orElse(null);
    }

    private static <T> void time(SimpleModule module, Class<T> type, Function<String, T> parse) {
        module.addSerializer(type, ToStringSerializer.instance);
        module.addDeserializer(type, new TimeReader<>(type, parse));
    }

    private static <T, V> void optional(
            SimpleModule module,
            Class<T> type,
            Class<V> value,
            T empty,
            Function<V, T> wrap,
            Function<T, @Nullable Object> content) {
        module.addSerializer(type, new OptionalWriter<>(type, content));
        module.addDeserializer(type, new OptionalReader<>(type, empty, v -> wrap.apply(value.cast(v)), value, null));
    }

    private static <T extends Json> void json(SimpleModule module, Class<T> type) {
        module.addDeserializer(type, new JsonValueReader<>(type));
    }

    /** Reads an integer. Jackson's own readers cut off decimals; a number such as 2.0, which Python writes, is 2. */
    private static final class WholeReader<T> extends StdScalarDeserializer<T> {
        private static final long serialVersionUID = 1L;
        private final transient @Nullable T nullValue;
        private final transient Function<BigDecimal, T> exact;
        private final transient JsonDeserializer<?> ofJackson;

        WholeReader(Class<T> type, @Nullable T nullValue, Function<BigDecimal, T> exact) {
            super(type);
            this.nullValue = nullValue;
            this.exact = exact;
            this.ofJackson = NumberDeserializers.find(type, type.getName());
        }

        @Override
        @SuppressWarnings("unchecked") // Jackson's reader returns this type
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            if (!in.hasToken(JsonToken.VALUE_NUMBER_FLOAT)) {
                return (T) ofJackson.deserialize(in, context);
            }
            try {
                return exact.apply(in.getDecimalValue());
            } catch (ArithmeticException | NumberFormatException e) {
                throw context.weirdNumberException(in.getDoubleValue(), _valueClass, "no integer of this type");
            }
        }

        @Override
        public @Nullable T getNullValue(DeserializationContext context) {
            return nullValue;
        }
    }

    /** Reads a time from the text of its {@code toString}. */
    private static final class TimeReader<T> extends FromStringDeserializer<T> {
        private static final long serialVersionUID = 1L;
        private final transient Function<String, T> parse;

        TimeReader(Class<T> type, Function<String, T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        protected T _deserialize(String text, DeserializationContext context) throws IOException {
            try {
                return parse.apply(text);
            } catch (DateTimeException e) {
                throw context.weirdStringException(text, _valueClass, String.valueOf(e.getMessage()));
            }
        }
    }

    /** Writes the content of an optional value. Empty members are left out; empty list items become {@code null}. */
    private static final class OptionalWriter<T> extends StdSerializer<T> {
        private static final long serialVersionUID = 1L;
        private final transient Function<T, @Nullable Object> content;

        OptionalWriter(Class<T> type, Function<T, @Nullable Object> content) {
            super(type);
            this.content = content;
        }

        @Override
        public boolean isEmpty(SerializerProvider provider, T value) {
            return content.apply(value) == null;
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializerProvider provider) throws IOException {
            provider.defaultSerializeValue(content.apply(value), out);
        }
    }

    /** Reads an optional value. It is empty if the member is missing or {@code null}. */
    private static final class OptionalReader<T> extends StdDeserializer<T> implements ContextualDeserializer {
        private static final long serialVersionUID = 1L;
        private final transient T empty;
        private final transient Function<Object, T> wrap;
        /** The class of the content of members that do not declare it. ({@code Optional<Integer>} declares it.) */
        private final Class<?> contentType;
        /** Reads the content. Null before Jackson calls {@link #createContextual}, and for roots. */
        private final @Nullable JsonDeserializer<Object> content;

        OptionalReader(
                Class<?> type,
                T empty,
                Function<Object, T> wrap,
                Class<?> contentType,
                @Nullable JsonDeserializer<Object> content) {
            super(type);
            this.empty = empty;
            this.wrap = wrap;
            this.contentType = contentType;
            this.content = content;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property)
                throws JsonMappingException {
            JavaType contextualType = context.getContextualType();
            JavaType type = contextualType != null && contextualType.containedTypeCount() == 1
                    ? contextualType.containedType(0)
                    : context.constructType(contentType);
            return new OptionalReader<>(
                    _valueClass, empty, wrap, contentType, context.findContextualValueDeserializer(type, property));
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            JsonDeserializer<Object> reader =
                    content == null ? context.findRootValueDeserializer(context.constructType(contentType)) : content;
            return wrap.apply(reader.deserialize(in, context));
        }

        @Override
        public T getNullValue(DeserializationContext context) {
            return empty;
        }

        @Override
        public T getAbsentValue(DeserializationContext context) {
            return empty;
        }
    }

    /** Writes JSON as it is. */
    private static final class JsonWriter extends StdSerializer<Json> {
        private static final long serialVersionUID = 1L;

        JsonWriter() {
            super(Json.class);
        }

        @Override
        public void serialize(Json value, JsonGenerator out, SerializerProvider provider) throws IOException {
            out.writeRawValue(value.toString());
        }
    }

    /** Reads JSON as it is, with the text of its numbers. */
    private static final class JsonValueReader<T extends Json> extends StdDeserializer<T> {
        private static final long serialVersionUID = 1L;
        private final Class<T> type;

        JsonValueReader(Class<T> type) {
            super(type);
            this.type = type;
        }

        @Override
        public T deserialize(JsonParser in, DeserializationContext context) throws IOException {
            Json value = value(in);
            return type.isInstance(value)
                    ? type.cast(value)
                    : type.cast(context.handleUnexpectedToken(context.constructType(type), in));
        }

        @Override
        public @Nullable T getNullValue(DeserializationContext context) {
            return type == Json.class ? type.cast(new Json.Null()) : null;
        }

        @Override
        public @Nullable T getAbsentValue(DeserializationContext context) {
            return null;
        }

        private static Json value(JsonParser in) throws IOException {
            return switch (in.currentToken()) {
                case START_OBJECT -> {
                    Map<String, Json> members = new LinkedHashMap<>();
                    while (in.nextToken() != JsonToken.END_OBJECT) {
                        String name = in.currentName();
                        in.nextToken();
                        members.put(name, value(in));
                    }
                    yield new Json.Obj(members);
                }
                case START_ARRAY -> {
                    List<Json> items = new ArrayList<>();
                    while (in.nextToken() != JsonToken.END_ARRAY) {
                        items.add(value(in));
                    }
                    yield new Json.Arr(items);
                }
                case VALUE_STRING -> Json.of(in.getText());
                case VALUE_TRUE -> Json.of(true);
                case VALUE_FALSE -> Json.of(false);
                case VALUE_NULL -> new Json.Null();
                default -> new Json.Num(in.getText());
            };
        }
    }
}
