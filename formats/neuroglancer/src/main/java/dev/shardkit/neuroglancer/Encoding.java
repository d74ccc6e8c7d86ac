package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * The encoding of a scale's chunks in neuroglancer's {@code info} document (volume.md, "Chunk encoding"), translated to
 * codecs of Zarr. Immutable.
 *
 * @param codecs the codecs of a chunk
 */
record Encoding(List<Json> codecs) {
    private static final String MEMBER = "encoding";
    /** The default quality of JPEG. */
    private static final long DEFAULT_QUALITY = 75;
    /** The default compression level of PNG. */
    private static final long DEFAULT_LEVEL = 6;

    /** The encoding {@code raw}: elements in Fortran order, little-endian. */
    static final Encoding RAW = new Encoding(List.of(
            Json.extension("transpose", Json.object().with("order", Json.of(new long[] {3, 2, 1, 0}))),
            Json.extension("bytes", Json.object().with("endian", Json.of("little")))));

    /** Parses the encoding of a scale. */
    static Encoding parse(Config config, Scale.Elements elements) {
        Json value = config.json(MEMBER)
                .orElseThrow(() -> new MetadataException(config.at(MEMBER) + ": is required, but missing"));
        if (!(value instanceof Json.Str name)) {
            throw Config.expected(config.at(MEMBER), "the name of an encoding", value);
        }
        String encoding = name.value().toLowerCase(Locale.ROOT);
        return switch (encoding) {
            case "raw" -> RAW;
            case "jpeg" -> jpegEncoding(config, elements);
            case "png" -> pngEncoding(config, elements);
            case CompressedSegmentationCodec.ENCODING -> segmentationEncoding(config, elements);
            // This codec throws when the scale is opened. Other scales of the volume can still be read.
            default -> ofCodec(UnsupportedEncoding.NAME, Json.object().with(MEMBER, Json.of(encoding)));
        };
    }

    private static Encoding ofCodec(String codec, Json.Obj configuration) {
        return new Encoding(List.of(Json.extension(codec, configuration)));
    }

    private static Encoding jpegEncoding(Config config, Scale.Elements elements) {
        requireSupported(
                elements.type().equals("uint8") && (elements.channels() == 1 || elements.channels() == 3),
                config,
                "uint8 and 1 or 3 channels",
                elements);
        long quality = config.integer("jpeg_quality", 0, 100).orElse(DEFAULT_QUALITY);
        return ofCodec(
                ImageCodec.Kind.JPEG.codecName(),
                Json.object().with(ImageCodec.Kind.JPEG.effortMember(), Json.of(quality)));
    }

    private static Encoding pngEncoding(Config config, Scale.Elements elements) {
        requireSupported(
                (elements.type().equals("uint8") || elements.type().equals("uint16")) && elements.channels() <= 4,
                config,
                "uint8 or uint16 and 1 to 4 channels",
                elements);
        long level = config.integer("png_level", -1, 9).orElse(DEFAULT_LEVEL);
        return ofCodec(
                ImageCodec.Kind.PNG.codecName(),
                Json.object().with(ImageCodec.Kind.PNG.effortMember(), Json.of(level < 0 ? DEFAULT_LEVEL : level)));
    }

    private static Encoding segmentationEncoding(Config config, Scale.Elements elements) {
        requireSupported(
                elements.type().equals("uint32") || elements.type().equals("uint64"),
                config,
                "uint32 or uint64",
                elements);
        long[] block = VolumeGrid.readLengths(config, "compressed_segmentation_block_size", 1);
        return ofCodec(
                CompressedSegmentationCodec.NAME,
                Json.object().with(CompressedSegmentationCodec.BLOCK_SIZE, Json.of(block)));
    }

    private static void requireSupported(boolean isSupported, Config config, String expected, Scale.Elements found) {
        if (!isSupported) {
            throw new MetadataException(config.at(MEMBER) + ": expected " + expected + ", found " + found.type()
                    + " and " + found.channels() + " channels");
        }
    }
}
