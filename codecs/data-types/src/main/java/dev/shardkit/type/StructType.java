package dev.shardkit.type;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.array.Carrier;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.array.Elements;
import dev.shardkit.spi.array.Field;
import dev.shardkit.spi.array.FillValue;
import dev.shardkit.spi.codec.Limits;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * {@code struct}: records of named fields of fixed size, without gaps (zarr-extensions, data-types/struct). In Java, a
 * {@code byte[]} carries the records, with the fields as little-endian words; {@code NdArray.field} returns the values
 * of one field.
 *
 * <p>{@code structured} is an older name of the type. zarr-python (3.1.6) reads only this name, with its own forms of
 * the fields and of the fill value, so arrays that were stored under it keep all three. Types with equal fields are
 * equal, regardless of the name. Immutable.
 */
public final class StructType implements DataType {
    static final String NAME = "struct";
    static final String LEGACY = "structured";
    static final String FIELDS = "fields";

    private final String name;
    private final List<Field> fields;
    private final int size;

    private StructType(String name, List<Field> fields, int size) {
        this.name = name;
        this.fields = fields;
        this.size = size;
    }

    /** Returns records of one field; {@link #with} adds the others. */
    public static StructType of(String field, DataType type) {
        return new StructType(NAME, List.of(), 0).with(field, type);
    }

    /**
     * Returns records with one more field at their end.
     *
     * @throws MetadataException if the name is empty or taken, the size of {@code type} varies, or the record is too
     *     large for a chunk
     */
    public StructType with(String field, DataType type) {
        if (field.isEmpty() || fields.stream().anyMatch(f -> f.name().equals(field))) {
            throw new MetadataException("data type " + name
                    + ": expected a field name that is not empty and not used yet, found \"" + shown(field) + '"');
        }
        if (type.elementSize().isEmpty()) {
            throw new MetadataException("data type " + name + ", field \"" + shown(field)
                    + "\": expected a type of fixed size, found " + type.name());
        }
        long grown = (long) size + type.elementSize().getAsInt();
        if (grown > Limits.LARGEST_CHUNK) {
            throw new MetadataException("data type " + name + ": expected records of at most " + Limits.LARGEST_CHUNK
                    + " bytes, found " + grown);
        }
        List<Field> extended = new ArrayList<>(fields);
        extended.add(new Field(field, type, size));
        return new StructType(name, List.copyOf(extended), (int) grown);
    }

    /** Reads the type called {@code name} from its configuration. */
    static StructType parse(String name, Config config) {
        String location = config.at(FIELDS);
        if (!(config.json(FIELDS).orElseGet(Json.Null::new) instanceof Json.Arr list)
                || list.items().isEmpty()) {
            throw Config.expected(
                    location, "a list of fields", config.json(FIELDS).orElseGet(Json.Null::new));
        }
        List<Field> fields = new ArrayList<>();
        Set<String> names = new HashSet<>();
        long size = 0;
        for (int i = 0; i < list.items().size(); i++) {
            Json item = list.items().get(i);
            Field field = field(name, item, (int) size, location + "/" + i, config);
            if (field.name().isEmpty() || !names.add(field.name())) {
                throw Config.expected(location + "/" + i, "a name that no other field has", item);
            }
            fields.add(field);
            size += field.type().elementSize().getAsInt();
            if (size > Limits.LARGEST_CHUNK) {
                throw Config.expected(location, "records of at most " + Limits.LARGEST_CHUNK + " bytes", list);
            }
        }
        return new StructType(name, List.copyOf(fields), (int) size);
    }

    /** Reads a field: an object with a name and a data type; in the older form, a pair of both. */
    private static Field field(String name, Json item, int offset, String location, Config config) {
        Json named = new Json.Null();
        Json type = new Json.Null();
        if (item instanceof Json.Obj object) {
            named = object.members().getOrDefault("name", named);
            type = object.members().getOrDefault("data_type", type);
        } else if (item instanceof Json.Arr pair && pair.items().size() == 2 && name.equals(LEGACY)) {
            named = pair.items().get(0);
            type = pair.items().get(1);
        }
        if (!(named instanceof Json.Str text) || type instanceof Json.Null) {
            throw Config.expected(location, "an object with a name and a data_type", item);
        }
        DataType parsed = config.extensions().dataType(type, location + "/data_type");
        if (parsed.elementSize().isEmpty()) {
            throw Config.expected(location + "/data_type", "a type of fixed size", type);
        }
        return new Field(text.value(), parsed, offset);
    }

    /** Shortens a field name of a file for an error message. */
    private static String shown(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "..." : text;
    }

    private boolean isLegacy() {
        return name.equals(LEGACY);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Json.Obj configuration() {
        List<Json> json = new ArrayList<>();
        for (Field field : fields) {
            Json type = field.type().json();
            json.add(
                    isLegacy()
                            ? new Json.Arr(List.of(Json.of(field.name()), type))
                            : Json.object().with("name", Json.of(field.name())).with("data_type", type));
        }
        return Json.object().with(FIELDS, new Json.Arr(json));
    }

    @Override
    public List<Field> fields() {
        return fields;
    }

    @Override
    public Carrier carrier() {
        return Carrier.BYTE;
    }

    @Override
    public OptionalInt elementSize() {
        return OptionalInt.of(size);
    }

    @Override
    public FillValue parseFill(Json json) {
        if (json instanceof Json.Str text && isLegacy()) {
            return FillValue.of(packed(text));
        }
        if (!(json instanceof Json.Obj object)) {
            throw FillValueBits.refuse(name, "an object with a value for each field", json);
        }
        byte[] bytes = new byte[size];
        for (Field field : fields) {
            Json fieldFill = object.members().get(field.name());
            if (fieldFill == null) {
                throw FillValueBits.refuse(name, "a value for field \"" + shown(field.name()) + '"', json);
            }
            byte[] value = parseField(field, fieldFill);
            System.arraycopy(value, 0, bytes, field.offset(), value.length);
        }
        if (object.members().size() > fields.size()) {
            throw FillValueBits.refuse(name, "values for its fields only", json);
        }
        return FillValue.of(bytes);
    }

    private static byte[] parseField(Field field, Json fieldFill) {
        try {
            return field.type().parseFill(fieldFill).bytes();
        } catch (MetadataException e) {
            throw new MetadataException("field \"" + shown(field.name()) + "\": " + e.getMessage(), e);
        }
    }

    /** Decodes a fill value in the older form: base64 of the record, in little-endian words as zarr-python writes. */
    private byte[] packed(Json.Str text) {
        try {
            byte[] bytes = Base64.getDecoder().decode(text.value());
            if (bytes.length == size) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // refused below
        }
        throw FillValueBits.refuse(name, "base64 (RFC 4648, section 4) of " + size + " bytes", text);
    }

    @Override
    public Json formatFill(FillValue value) {
        if (value.size() != size) {
            throw new IllegalArgumentException("a fill value of " + value.size() + " bytes for " + this);
        }
        return isLegacy()
                ? Json.of(Base64.getEncoder().encodeToString(value.bytes()))
                : members(value, DataType::formatFill);
    }

    @Override
    public Json show(FillValue value) {
        return members(value, DataType::show);
    }

    private Json members(FillValue value, BiFunction<DataType, FillValue, Json> form) {
        byte[] bytes = value.bytes();
        Map<String, Json> members = new LinkedHashMap<>();
        for (Field field : fields) {
            int end = field.offset() + field.type().elementSize().orElseThrow();
            FillValue fieldValue = FillValue.of(Arrays.copyOfRange(bytes, field.offset(), end));
            members.put(field.name(), form.apply(field.type(), fieldValue));
        }
        return new Json.Obj(members);
    }

    @Override
    public FillValue defaultFill() {
        byte[] bytes = new byte[size];
        for (Field field : fields) {
            byte[] fieldBytes = field.type().defaultFill().bytes();
            System.arraycopy(fieldBytes, 0, bytes, field.offset(), fieldBytes.length);
        }
        return FillValue.of(bytes);
    }

    @Override
    public Elements canonical(Elements stored) {
        return Records.canonical(this, (Elements.Fixed) stored);
    }

    @Override
    public void check(Elements elements) {
        Records.check(this, (Elements.Fixed) elements);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StructType s && s.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }

    @Override
    public String toString() {
        List<String> texts =
                fields.stream().map(f -> f.name() + ": " + f.type().name()).toList();
        return NAME + "(" + String.join(", ", texts) + ")";
    }
}
