package dev.shardkit.neuroglancer;

import dev.shardkit.spi.Config;
import dev.shardkit.spi.error.MetadataException;
import dev.shardkit.spi.json.Json;
import java.util.List;
import java.util.Locale;

/**
 * The encoding of chunks (volume.md, "Chunk encoding"), as codecs. Immutable.
 *
 * @param codecs the codecs of a chunk
 */
record Encoding(List<Json> codecs) {
    private static final String MEMBER = "encoding";
    private static final long USUAL_QUALITY = 75;
    private static final long USUAL_LEVEL = 6;

    /** Elements in Fortran order, little-endian. */
    static final Encoding RAW = new Encoding(List.of(
            Json.extension("transpose", Json.object().with("order", Json.of(new long[] {3, 2, 1, 0}))),
            Json.extension("bytes", Json.object().with("endian", Json.of("little")))));

    static Encoding of(Config config, Scale.Elements elements) {
        Json stated = config.json(MEMBER)
                .orElseThrow(() -> new MetadataException(config.at(MEMBER) + ": is required, but missing"));
        if (!(stated instanceof Json.Str name)) {
            throw Config.expected(config.at(MEMBER), "the name of an encoding", stated);
        }
        String encoding = name.value().toLowerCase(Locale.ROOT);
        return switch (encoding) {
            case "raw" -> RAW;
            case "jpeg" -> jpeg(config, elements);
            case "png" -> png(config, elements);
            case CompressedSegmentationCodec.ENCODING -> segmentation(config, elements);
            // A codec that refuses to be made: the other scales open.
            default -> one(UnsupportedEncoding.NAME, Json.object().with(MEMBER, Json.of(encoding)));
        };
    }

    private static Encoding one(String codec, Json.Obj configuration) {
        return new Encoding(List.of(Json.extension(codec, configuration)));
    }

    private static Encoding jpeg(Config config, Scale.Elements elements) {
        refuseUnless(
                elements.type().equals("uint8") && (elements.channels() == 1 || elements.channels() == 3),
                config,
                "uint8 and 1 or 3 channels",
                elements);
        long quality = config.integer("jpeg_quality", 0, 100).orElse(USUAL_QUALITY);
        return one(ImageCodec.Kind.JPEG.codec(), Json.object().with(ImageCodec.Kind.JPEG.member(), Json.of(quality)));
    }

    private static Encoding png(Config config, Scale.Elements elements) {
        refuseUnless(
                (elements.type().equals("uint8") || elements.type().equals("uint16")) && elements.channels() <= 4,
                config,
                "uint8 or uint16 and 1 to 4 channels",
                elements);
        long level = config.integer("png_level", -1, 9).orElse(USUAL_LEVEL);
        return one(
                ImageCodec.Kind.PNG.codec(),
                Json.object().with(ImageCodec.Kind.PNG.member(), Json.of(level < 0 ? USUAL_LEVEL : level)));
    }

    private static Encoding segmentation(Config config, Scale.Elements elements) {
        refuseUnless(
                elements.type().equals("uint32") || elements.type().equals("uint64"),
                config,
                "uint32 or uint64",
                elements);
        long[] block = VolumeGrid.lengths(config, "compressed_segmentation_block_size", 1);
        return one(
                CompressedSegmentationCodec.NAME,
                Json.object().with(CompressedSegmentationCodec.BLOCK_SIZE, Json.of(block)));
    }

    private static void refuseUnless(boolean fits, Config config, String expected, Scale.Elements found) {
        if (!fits) {
            throw new MetadataException(config.at(MEMBER) + ": expected " + expected + ", found " + found.type()
                    + " and " + found.channels() + " channels");
        }
    }
}
