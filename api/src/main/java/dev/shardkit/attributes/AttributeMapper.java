package dev.shardkit.attributes;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import dev.shardkit.json.JsonReader;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Converts the attributes of a node to an object of a Java or Kotlin class, and back. Records, beans and data classes
 * need Jackson's databind on the class path; maps, lists and JSON do not. Kotlin classes need an
 * {@link AttributeMapperExtension} too.
 */
public final class AttributeMapper {
    /** The maximum nesting depth, because trees are walked recursively. */
    private static final int MAX_DEPTH = JsonReader.DEEPEST;

    private AttributeMapper() {}

    /** Loaded only on demand, because it needs databind and its start is slow. */
    private static final class Databind {
        static final ObjectMapper MAPPER = mapper();

        private static ObjectMapper mapper() {
            // NaN and infinities are numbers, as they are in attributes that Python wrote
            ObjectMapper mapper = new ObjectMapper()
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS.mappedFeature())
                    .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS.mappedFeature())
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT) // in int[] and the like; see AttributeTypes
                    .registerModule(AttributeTypes.module());
            for (Class<?> optional :
                    List.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class)) {
                mapper.configOverride(optional)
                        .setInclude(JsonInclude.Value.construct(
                                JsonInclude.Include.NON_EMPTY, JsonInclude.Include.USE_DEFAULTS));
            }
            List<AttributeMapperExtension> extensions = new ArrayList<>();
            ServiceLoader.load(AttributeMapperExtension.class, AttributeMapper.class.getClassLoader())
                    .forEach(extensions::add);
            extensions.forEach(extension -> extension.addTo(mapper));
            return extensions.isEmpty() ? mapper.registerModule(withoutKotlin()) : mapper;
        }

        /** Refuses classes of Kotlin. Plain databind would read {@code null} as 0 and rename some members. */
        private static Module withoutKotlin() {
            return new SimpleModule("without Kotlin")
                    .setDeserializerModifier(new BeanDeserializerModifier() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public BeanDeserializerBuilder updateBuilder(
                                DeserializationConfig config, BeanDescription bean, BeanDeserializerBuilder builder) {
                            refuseKotlin(bean);
                            return builder;
                        }
                    })
                    .setSerializerModifier(new BeanSerializerModifier() {
                        private static final long serialVersionUID = 1L;

                        @Override
                        public List<BeanPropertyWriter> changeProperties(
                                SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> properties) {
                            refuseKotlin(bean);
                            return properties;
                        }
                    });
        }

        private static void refuseKotlin(BeanDescription bean) {
            if (isKotlin(bean.getBeanClass())) {
                throw kotlinAbsent(bean.getBeanClass());
            }
        }

        static <T> T read(Json.Obj attributes, Class<T> type) throws JsonProcessingException {
            return MAPPER.readValue(attributes.toString(), type);
        }

        static byte[] write(Object value) throws JsonProcessingException {
            return MAPPER.writeValueAsBytes(value);
        }
    }

    /** Throws if the libraries that map {@code type} to attributes and back are absent. */
    private static void requireDatabind(Class<?> type) {
        try {
            boolean initialize = false; // only asks whether the class is there
            Class.forName(
                    "com.fasterxml.jackson.databind.ObjectMapper", initialize, AttributeMapper.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw isKotlin(type)
                    ? kotlinAbsent(type)
                    : new UnsupportedException(
                            "attributes cannot be mapped to or from " + type.getName()
                                    + ", because Jackson's databind is absent; add the artifact "
                                    + "com.fasterxml.jackson.core:jackson-databind (on the module path, also "
                                    + "--add-modules com.fasterxml.jackson.databind), or read them as JSON by attributes()",
                            e);
        }
    }

    private static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(a -> a.annotationType().getName().equals("kotlin.Metadata"));
    }

    private static UnsupportedException kotlinAbsent(Class<?> type) {
        return new UnsupportedException("attributes cannot be mapped to or from " + type.getName()
                + ", a Kotlin class, because shardkit-kotlin is absent; add the artifact dev.shardkit:shardkit-kotlin, "
                + "or read them as JSON by attributes()");
    }

    /** Throws the error of an absent library, which Jackson wraps if it is thrown while a member is mapped. */
    private static void throwIfAbsent(JsonProcessingException e) {
        if (e.getCause() instanceof UnsupportedException absent) {
            throw absent;
        }
    }

    /**
     * Maps attributes to an object. Members that the class does not have are ignored. For {@code Map}, the members are
     * those of {@link PlainValues}.
     *
     * @throws MetadataException if they do not fit the class
     * @throws UnsupportedException if Jackson's databind is absent, or shardkit-kotlin for a class of Kotlin
     */
    public static <T> T map(Json.Obj attributes, Class<T> type, String location) {
        if (type.isAssignableFrom(LinkedHashMap.class)) {
            return type.cast(PlainValues.map(attributes));
        } else if (type.isInstance(attributes)) {
            return type.cast(attributes);
        }
        requireDatabind(type);
        try {
            return Databind.read(attributes, type);
        } catch (JsonProcessingException e) {
            throwIfAbsent(e);
            throw new MetadataException(AttributeMismatch.message(attributes, type, e), e)
                    .locate(Optional.of(location), Optional.empty(), Optional.empty());
        }
    }

    /**
     * Returns the attributes of {@code value}: a record, a bean, a data class, a map, or JSON.
     *
     * @throws IllegalArgumentException if its JSON form is not an object
     * @throws UnsupportedException if Jackson's databind is absent, or shardkit-kotlin for a class of Kotlin
     */
    public static Json.Obj attributes(Object value) {
        Json json = json(value, 0);
        if (json instanceof Json.Obj object) {
            return object;
        }
        throw new IllegalArgumentException("expected an object for the attributes, found a JSON " + json.kind()
                + " from a " + value.getClass().getName());
    }

    /** Converts maps and lists item by item, because the mapper would change the text of numbers in them. */
    private static Json json(@Nullable Object value, int level) {
        if (level > MAX_DEPTH) {
            throw new IllegalArgumentException("the lists and maps of the attributes are nested more than " + MAX_DEPTH
                    + " deep, or one of them contains itself");
        } else if (value instanceof Map<?, ?> map) {
            Map<String, Json> members = new LinkedHashMap<>();
            map.forEach((name, item) -> {
                if (!(name instanceof String text)) {
                    throw new IllegalArgumentException("attributes have text as names, found the name " + name);
                }
                members.put(text, json(item, level + 1));
            });
            return new Json.Obj(members);
        } else if (value instanceof List<?> list) {
            List<Json> items = new ArrayList<>();
            list.forEach(item -> items.add(json(item, level + 1)));
            return new Json.Arr(items);
        } else if (isNonFinite(value)) {
            return new Json.Num(value.toString());
        } else if (value == null
                || value instanceof Json
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Number) {
            // of(List) converts items of all these classes
            return Json.of(Collections.singletonList(value)).items().get(0);
        }
        return writeByDatabind(value);
    }

    private static boolean isNonFinite(@Nullable Object value) {
        return value instanceof Double number && !Double.isFinite(number)
                || value instanceof Float single && !Float.isFinite(single);
    }

    private static Json writeByDatabind(Object value) {
        requireDatabind(value.getClass());
        try {
            return JsonReader.readWithNonNumbers(Databind.write(value), Limits.defaults());
        } catch (JsonProcessingException e) {
            throwIfAbsent(e);
            throw new IllegalArgumentException(AttributeMismatch.unwritable(value, e), e);
        }
    }
}
