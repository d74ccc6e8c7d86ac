package dev.shardkit.cf;

import dev.shardkit.NdArray;
import dev.shardkit.ZarrArray;
import dev.shardkit.ZarrView;
import dev.shardkit.cf.geo.Georeference;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.array.DataType;
import dev.shardkit.spi.error.UnsupportedException;
import dev.shardkit.spi.json.Json;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A variable of a dataset: an array whose elements have a meaning. {@link #read()} and {@link #select} return decoded
 * values, {@link #array} the stored ones. Thread-safe.
 *
 * <p>After a write by a method of this class, selections read the labels of this coordinate again. The dataset does not
 * see labels that {@link #array} or another writer changes; open it again.
 */
public final class CfVariable {
    /** The maximum number of elements of a coordinate that selects: all its labels are kept in memory. */
    private static final long MAX_LABELS = 1L << 27;

    private final CfDataset dataset;
    private final String name;
    private final ZarrArray array;
    private final Structure structure;
    private final List<String> dimensions;
    private final Decoding decoding;
    private final Optional<CfFlags> flags;
    private volatile LabelCache cache = new LabelCache();

    /**
     * The labels of a coordinate as they were read. Each write replaces the cache, so that a read which began before
     * keeps its labels in a cache that later selections do not use.
     */
    private static final class LabelCache {
        volatile Optional<CfValues> labels = Optional.empty();
        volatile Optional<LabelIndex> index = Optional.empty();
    }

    CfVariable(CfDataset dataset, String name, ZarrArray array, Structure structure, CfOptions options, Notes notes) {
        this.dataset = dataset;
        this.name = name;
        this.array = array;
        this.structure = structure;
        Consumer<String> note = message -> notes.add(name, message);
        this.decoding = Decoding.of(
                array.dataType(), structure.decoding(name), structure.isCharacters(name, array), options, note);
        List<String> own = structure.dimensions(name);
        this.dimensions = decoding.stacksCharacters() ? own.subList(0, own.size() - 1) : own;
        this.flags = CfFlags.of(array.attributes(), note);
    }

    /** Returns the dataset. */
    public CfDataset dataset() {
        return dataset;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the array of stored elements. */
    public ZarrArray array() {
        return array;
    }

    /** Returns the attributes as they are stored. */
    public Json.Obj attributes() {
        return array.attributes();
    }

    /** Returns the names of the dimensions. If texts are stored as characters, their dimension is left out. */
    public List<String> dimensions() {
        return dimensions;
    }

    /** Returns the lengths of {@link #dimensions}. */
    public long[] shape() {
        return Arrays.copyOf(array.shape(), dimensions.size());
    }

    /** Returns the role in the dataset. */
    public CfRole role() {
        return structure.role(name);
    }

    /** Returns what the decoded elements are. */
    public CfKind kind() {
        return decoding.kind();
    }

    /** Returns the data type of {@link CfValues#values}; moments and time spans are numbers there. */
    public DataType valueType() {
        return decoding.valueType();
    }

    /** Returns the attribute {@code units}. */
    public Optional<String> units() {
        return AttributeValues.text(attributes(), "units");
    }

    /** Returns the attribute {@code standard_name}. */
    public Optional<String> standardName() {
        return AttributeValues.text(attributes(), "standard_name");
    }

    /** Returns whether an element may be missing. True for all kinds but texts, also where no value means missing. */
    public boolean canBeMissing() {
        return kind() != CfKind.TEXT || decoding.hasMissingTexts();
    }

    /** Returns the units of moments, with their calendar. */
    public Optional<CfTimeUnits> timeUnits() {
        return decoding.units();
    }

    /** Returns the meanings of flags. They apply to stored elements: {@code flags.meanings(array.read().longAt(i))}. */
    public Optional<CfFlags> flags() {
        return flags;
    }

    /**
     * Returns the codes of a classification: the flags, if each is one value of the decoded numbers
     * ({@code flag_values} without masks, and numbers that are not scaled). Empty for other variables.
     */
    public Optional<CfFlags> codes() {
        return flags.filter(all -> decoding.keepsNumbers()
                && all.flags().stream()
                        .allMatch(flag -> flag.mask() == -1 && flag.value().isPresent()));
    }

    /**
     * Returns the coordinates of this variable: coordinate variables of its dimensions, then those that its attribute
     * {@code coordinates} names.
     */
    public List<CfVariable> coordinates() {
        return Stream.concat(
                        dimensions.stream().flatMap(d -> dataset.coordinate(d).stream()),
                        structure.coordinates(name).stream().map(dataset::variable))
                .distinct()
                .toList();
    }

    /** Returns where the grid of this variable lies, by attributes of the variable, the group and the grid mapping. */
    public Georeference georeference() {
        return Georeference.of(array, dataset.group());
    }

    /** Returns the boundaries of the cells of this coordinate. */
    public Optional<CfVariable> bounds() {
        return structure.bounds(name).map(dataset::variable);
    }

    /** Returns the coordinate reference systems that the attribute {@code grid_mapping} names. */
    public List<CfVariable> gridMappings() {
        return structure.mappings(name).stream().map(dataset::variable).toList();
    }

    /** Reads and decodes all elements. */
    public CfValues read() {
        return decode(array.view(), dimensions);
    }

    /** Asynchronous form of {@link #read()}. Cancelling the future stops the requests. */
    public CompletableFuture<CfValues> readAsync() {
        return select().readAsync();
    }

    /**
     * Reads and decodes a region.
     *
     * @throws IllegalArgumentException if the region has another number of dimensions than {@link #dimensions}
     */
    public CfValues read(Box region) {
        if (region.rank() != dimensions.size()) {
            throw new IllegalArgumentException(
                    location() + ": expected a region of the dimensions " + dimensions + ", found " + region);
        }
        ZarrView view = array.view();
        for (int d = 0; d < dimensions.size(); d++) {
            view = view.range(d, region.origin(d), region.end(d));
        }
        return decode(view, dimensions);
    }

    /**
     * Encodes and writes numbers: {@code scale_factor} and {@code add_offset} are taken off, integers are rounded to
     * the nearest, halves to the even one, and NaN becomes {@code _FillValue} or {@code missing_value} where there is
     * one.
     *
     * @param values the numbers of the region in C order
     * @throws IllegalArgumentException if the elements are no numbers, the data type cannot hold one, integers have no
     *     value for NaN, or the count is wrong; then nothing is written
     */
    public void write(Box region, double[] values) {
        checkCount(region, values.length);
        write(region, decoding.encode(values, array.dataType(), region.shape(), location()));
    }

    /**
     * Encodes and writes moments, as numbers in the units of this variable. Missing ones become {@code _FillValue}, or
     * NaN.
     *
     * @param times the moments of the region in C order, of the variable's calendar
     * @throws IllegalArgumentException if the elements are no times, an integer type cannot hold a moment exactly, or
     *     the count is wrong; then nothing is written
     */
    public void writeTimes(Box region, List<Optional<CfDateTime>> times) {
        checkCount(region, times.size());
        write(region, decoding.encodeTimes(times, array.dataType(), region.shape(), location()));
    }

    /**
     * Encodes and writes time spans, as numbers in the units of this variable. Missing ones become {@code _FillValue},
     * or NaN.
     *
     * @param spans the time spans of the region in C order
     * @throws IllegalArgumentException if the elements are no time spans, an integer type cannot hold one exactly, or
     *     the count is wrong; then nothing is written
     */
    public void writeDurations(Box region, List<Optional<Duration>> spans) {
        checkCount(region, spans.size());
        write(region, decoding.encodeDurations(spans, array.dataType(), region.shape(), location()));
    }

    /**
     * Encodes and writes booleans; integers with the attribute {@code dtype = "bool"} become 0 and 1.
     *
     * @param values the booleans of the region in C order
     * @throws IllegalArgumentException if the elements are no booleans, or the count is wrong; then nothing is written
     */
    public void writeBooleans(Box region, boolean[] values) {
        checkCount(region, values.length);
        write(region, decoding.encodeBooleans(values, array.dataType(), region.shape(), location()));
    }

    /**
     * Encodes and writes texts; those of bytes or characters in the charset that {@code _Encoding} names, else as
     * UTF-8, with zeros behind them.
     *
     * @param texts the texts of the region in C order
     * @throws IllegalArgumentException if the elements are no texts, one has more bytes than the data type or the
     *     dimension of characters, or characters that the charset lacks, or the count is wrong; then nothing is written
     */
    public void writeTexts(Box region, List<String> texts) {
        checkCount(region, texts.size());
        long[] whole = array.shape();
        long characters = whole.length == 0 ? 0 : whole[whole.length - 1];
        NdArray encoded = decoding.encodeTexts(texts, array.dataType(), region.shape(), characters, location());
        // the region lacks the dimension of characters, whose origin is 0
        long[] origin = Arrays.copyOf(region.origin(), whole.length);
        write(Box.of(origin, encoded.shape()), encoded);
    }

    /** Writes stored elements. Later selections read the labels again, also if the write fails. */
    private void write(Box region, NdArray encoded) {
        try {
            array.write(region, encoded.array(), 0);
        } finally {
            cache = new LabelCache();
            dataset.removeGrids(name);
        }
    }

    private void checkCount(Box region, int count) {
        if (region.rank() != dimensions.size() || region.count() != count) {
            throw new IllegalArgumentException(location() + ": expected the elements of a region of the dimensions "
                    + dimensions + ", found " + count + " for " + region);
        }
    }

    /** Returns a selection of all elements, to be narrowed by labels of coordinates. Reads nothing. */
    public CfSelection select() {
        return new CfSelection(this);
    }

    /** Reads and decodes a view. If texts are stored as characters, it must have all characters of each text. */
    CfValues decode(ZarrView view, List<String> names) {
        return decodeView(view.read(), names);
    }

    /** Decodes the elements of a view. */
    CfValues decodeView(NdArray stored, List<String> names) {
        return decoding.decode(stored, names);
    }

    /** Decodes the elements at a list of points. */
    CfValues decodePoints(NdArray stored) {
        return decoding.decode(stored, List.of("point"));
    }

    /**
     * Decodes elements of {@link #array} that were read before: all dimensions of the array, of any lengths. If texts
     * consist of characters, all characters of each text.
     *
     * @throws IllegalArgumentException if they have another data type or number of dimensions
     */
    public CfValues decode(NdArray stored) {
        if (!stored.dataType().equals(array.dataType()) || stored.shape().length != array.shape().length) {
            throw new IllegalArgumentException(location() + ": expected elements of "
                    + array.dataType().name() + " in " + array.shape().length + " dimensions, found " + stored);
        }
        return decoding.decode(stored, dimensions);
    }

    /**
     * Returns all decoded elements of a coordinate, which are read once, and again after a write.
     *
     * @throws UnsupportedException if the coordinate is too large to be kept in memory
     */
    CfValues labels() {
        return labels(cache);
    }

    private CfValues labels(LabelCache own) {
        return own.labels.orElseGet(() -> readLabels(own));
    }

    /** Reads all elements of a coordinate, unless they have been read. */
    CompletableFuture<CfValues> labelsAsync() {
        LabelCache own = cache;
        if (own.labels.isPresent()) {
            return CompletableFuture.completedFuture(own.labels.get());
        }
        checkSize();
        return SelectionRead.start(List.of(), () -> array.view().readAsync(), stored -> {
            CfValues read = decoding.decode(stored, dimensions);
            own.labels = Optional.of(read);
            return read;
        });
    }

    private CfValues readLabels(LabelCache own) {
        synchronized (own) {
            if (own.labels.isEmpty()) {
                checkSize();
                own.labels = Optional.of(read());
            }
            return own.labels.orElseThrow();
        }
    }

    /** Returns the index that finds labels of this coordinate, which must have one dimension. */
    LabelIndex index() {
        LabelCache own = cache;
        if (own.index.isEmpty()) {
            own.index = Optional.of(LabelIndex.of(this, () -> labels(own)));
        }
        return own.index.orElseThrow();
    }

    private void checkSize() {
        // labels of times and texts become objects: 64 bytes of heap for each
        long max = Math.min(MAX_LABELS, Runtime.getRuntime().maxMemory() / 64);
        long count = 1;
        for (long length : array.shape()) {
            if (length != 0 && count > max / length) {
                throw new UnsupportedException(location() + ": expected a coordinate of at most " + max
                        + " elements, found the shape " + Arrays.toString(array.shape())
                        + "; select by index instead of by label");
            }
            count *= length;
        }
    }

    /** Returns where the variable is stored, for messages. */
    String location() {
        return array.location();
    }

    @Override
    public String toString() {
        return name + dimensions + " " + kind();
    }
}
