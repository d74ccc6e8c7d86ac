package dev.shardkit.neuroglancer;

import dev.shardkit.spi.ArrayCreation;
import dev.shardkit.spi.StatedCodec;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import dev.shardkit.spi.plan.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Describes new arrays in the format of neuroglancer: the first scale of a new volume, or another scale of an existing
 * one. Each scale is an array; the file {@code info} describes the volume. Stateless.
 */
final class NewVolume implements ArrayCreation {
    private static final String SCALES = "scales";
    private static final String RESOLUTION = "resolution";
    private static final long DEFAULT_CHUNK_LENGTH = 64;
    private static final long SEGMENTATION_BLOCK_LENGTH = 8;
    /**
     * The maximum of {@code preshift_bits}. A minishard, a part of a shard with an index of its own, holds
     * 2^preshift_bits chunks. Its index is read as a whole, so it should be small.
     */
    private static final int MAX_PRESHIFT = 9;

    @Override
    public List<String> dimensions() {
        return List.of("x", "y", "z", CHANNEL);
    }

    @Override
    public boolean hasSeveral() {
        return true;
    }

    @Override
    public Optional<String> encodingLike(List<StatedCodec> codecs) {
        if (codecs.isEmpty()) {
            return Optional.of("raw");
        }
        String name = codecs.size() == 1 ? codecs.get(0).name() : "";
        return name.equals(CompressedSegmentationCodec.NAME)
                ? Optional.of(CompressedSegmentationCodec.ENCODING)
                : Arrays.stream(ImageCodec.Kind.values())
                        .filter(kind -> kind.codecName().equals(name))
                        .map(kind -> kind.name().toLowerCase(Locale.ROOT))
                        .findFirst();
    }

    @Override
    public NewArray describe(Request request) {
        String encoding = request.encoding().orElse("raw");
        Json.Obj info = Json.object()
                .with("@type", Json.of("neuroglancer_multiscale_volume"))
                .with("type", Json.of(isSegmentation(encoding) ? "segmentation" : "image"))
                .with("data_type", Json.of(request.dataType()))
                .with("num_channels", Json.of(request.shape()[VolumeGrid.SPACE]))
                .with(SCALES, new Json.Arr(List.of()));
        return withScale(info, request);
    }

    /** Adds a scale to a volume. The scale must have the data type and the number of channels of the volume. */
    @Override
    public NewArray describeBeside(Json document, Request request) {
        if (VolumeInfo.parse(document).isEmpty() || !(document instanceof Json.Obj info)) {
            throw new MetadataException(VolumeInfo.DOCUMENT + ": expected a volume of neuroglancer, found none");
        }
        requireSame(info, "data_type", Json.of(request.dataType()));
        requireSame(info, "num_channels", Json.of(request.shape()[VolumeGrid.SPACE]));
        return withScale(info, request);
    }

    /** Throws if a member of the volume differs from what the new scale needs. */
    private static void requireSame(Json.Obj info, String member, Json expected) {
        Json found = info.get(member).orElseGet(Json.Null::new);
        if (!found.toString().equalsIgnoreCase(expected.toString())) {
            throw new MetadataException("a new scale of a volume of neuroglancer: expected the volume's " + member + " "
                    + found + ", found " + expected);
        }
    }

    /** Returns the volume with an additional scale. */
    private static NewArray withScale(Json.Obj volume, Request request) {
        requirePositive(request.shape());
        request.chunkShape().ifPresent(NewVolume::requirePositive);
        request.shardShape().ifPresent(NewVolume::requirePositive);
        long[] size = Arrays.copyOf(request.shape(), VolumeGrid.SPACE);
        long channels = request.shape()[VolumeGrid.SPACE];
        long[] chunk = chunkShape(request, size, channels);
        Optional<ShardBits> bits = request.shardShape().map(shard -> ShardBits.of(size, chunk, shard));
        Json resolution = numberList(request.attributes(), RESOLUTION).orElseGet(() -> Json.of(new long[] {1, 1, 1}));
        // by convention, the key of a scale is its resolution, such as 8_8_40
        String key =
                ((Json.Arr) resolution).items().stream().map(Json::toString).collect(Collectors.joining("_"));
        Json.Obj scale = Json.object()
                .with("key", Json.of(key))
                .with(VolumeGrid.SIZE, Json.of(size))
                .with(RESOLUTION, resolution)
                .with(
                        VolumeGrid.OFFSET,
                        numberList(request.attributes(), VolumeGrid.OFFSET).orElseGet(() -> Json.of(new long[3])))
                .with("chunk_sizes", new Json.Arr(List.of(Json.of(chunk))));
        List<Json> scales = new ArrayList<>(((Json.Arr) volume.get(SCALES).orElseThrow()).items());
        scales.add(withEncoding(scale, request.encoding().orElse("raw"), bits));
        Json.Obj info = volume.with(SCALES, new Json.Arr(scales));
        // a write replaces whole shards, or whole chunks
        long[] writeShape =
                Arrays.copyOf(bits.map(shardBits -> shardBits.shardShape(chunk)).orElse(chunk), VolumeGrid.RANK);
        writeShape[VolumeGrid.SPACE] = channels;
        return new NewArray(
                key,
                VolumeInfo.parse(info).orElseThrow().documentOf(key).orElseThrow(),
                VolumeInfo.DOCUMENT,
                Bytes.of(info.toString().getBytes(StandardCharsets.UTF_8)),
                writeShape);
    }

    private static void requirePositive(long[] shape) {
        if (Arrays.stream(shape).anyMatch(length -> length < 1)) {
            throw new MetadataException("a volume of neuroglancer: expected a shape with lengths of at least 1, found "
                    + Arrays.toString(shape));
        }
    }

    private static boolean isSegmentation(String encoding) {
        return encoding.equals(CompressedSegmentationCodec.ENCODING);
    }

    /** Returns the scale with its encoding, and with its sharding if it has shards. */
    private static Json.Obj withEncoding(Json.Obj scale, String encoding, Optional<ShardBits> bits) {
        Json.Obj result = scale.with("encoding", Json.of(encoding));
        if (isSegmentation(encoding)) {
            result = result.with("compressed_segmentation_block_size", Json.of(new long[] {
                SEGMENTATION_BLOCK_LENGTH, SEGMENTATION_BLOCK_LENGTH, SEGMENTATION_BLOCK_LENGTH
            }));
        }
        // JPEG and PNG images are compressed already, so gzip would gain nothing
        boolean isImage = encoding.equals("jpeg") || encoding.equals("png");
        return bits.isPresent()
                ? result.with("sharding", shardingDocument(bits.get(), isImage ? "raw" : "gzip"))
                : result;
    }

    /** Returns the requested or the default shape of chunks in space, at most as large as the volume. */
    private static long[] chunkShape(Request request, long[] size, long channels) {
        long[] requested = request.chunkShape()
                .orElse(new long[] {DEFAULT_CHUNK_LENGTH, DEFAULT_CHUNK_LENGTH, DEFAULT_CHUNK_LENGTH, channels});
        if (requested[VolumeGrid.SPACE] < channels) {
            throw new MetadataException("a volume of neuroglancer: expected chunks with all " + channels
                    + " channels, found " + requested[VolumeGrid.SPACE]);
        }
        long[] chunk = new long[VolumeGrid.SPACE];
        for (int d = 0; d < chunk.length; d++) {
            chunk[d] = Math.min(requested[d], size[d]);
        }
        return chunk;
    }

    /** Returns an attribute if it is a list of three numbers; otherwise empty. */
    private static Optional<Json> numberList(Json.Obj attributes, String name) {
        return attributes
                .get(name)
                .filter(json -> json instanceof Json.Arr list
                        && list.items().size() == VolumeGrid.SPACE
                        && list.items().stream().allMatch(Json.Num.class::isInstance));
    }

    private static Json.Obj shardingDocument(ShardBits bits, String dataEncoding) {
        int preshift = Math.min(bits.inShard(), MAX_PRESHIFT);
        return Json.object()
                .with("@type", Json.of(Sharding.TYPE))
                .with("hash", Json.of("identity"))
                .with("preshift_bits", Json.of(preshift))
                .with("minishard_bits", Json.of(bits.inShard() - preshift))
                .with("shard_bits", Json.of(bits.total() - bits.inShard()))
                .with("minishard_index_encoding", Json.of("gzip"))
                .with("data_encoding", Json.of(dataEncoding));
    }

    /**
     * How the bits of a chunk's id are used. The id interleaves the bits of the chunk's indices (volume.md, "Compressed
     * Morton code"); its lowest bits number the chunks within a shard.
     *
     * @param total the number of bits of the id
     * @param inShard the number of lowest bits that number the chunks within a shard
     * @param perDimension how many of the bits in {@code inShard} come from each dimension
     */
    private record ShardBits(int total, int inShard, int[] perDimension) {
        /**
         * Returns the bits for shards whose shape is similar to {@code shard}. The exact shape can differ, because the
         * number of chunks of a shard in each dimension is a power of two, and the lowest bits of the id decide which
         * chunks a shard holds.
         */
        static ShardBits of(long[] size, long[] chunk, long[] shard) {
            int[] bits = new int[VolumeGrid.SPACE];
            int total = 0;
            int bitsInShard = 0;
            for (int d = 0; d < bits.length; d++) {
                long chunkCount = (size[d] + chunk[d] - 1) / chunk[d];
                bits[d] = Long.SIZE - Long.numberOfLeadingZeros(chunkCount - 1);
                long chunksInShard = Math.max(1, shard[d] / chunk[d]);
                total += bits[d];
                bitsInShard += Math.min(bits[d], Long.SIZE - 1 - Long.numberOfLeadingZeros(chunksInShard));
            }
            // for i from 0 on, the id takes bit i of each dimension that has so many bits
            int[] perDimension = new int[bits.length];
            int remaining = bitsInShard;
            for (int i = 0; remaining > 0; i++) {
                for (int d = 0; d < bits.length && remaining > 0; d++) {
                    if (i < bits[d]) {
                        perDimension[d]++;
                        remaining--;
                    }
                }
            }
            return new ShardBits(total, bitsInShard, perDimension);
        }

        /** Returns the shape of a shard in elements. */
        long[] shardShape(long[] chunk) {
            long[] shardShape = chunk.clone();
            for (int d = 0; d < shardShape.length; d++) {
                shardShape[d] <<= perDimension[d];
            }
            return shardShape;
        }
    }
}
