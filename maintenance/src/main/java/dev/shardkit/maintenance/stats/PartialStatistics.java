package dev.shardkit.maintenance.stats;

import dev.shardkit.ZarrArray;
import dev.shardkit.maintenance.Part;
import dev.shardkit.maintenance.SkippedElements;
import dev.shardkit.maintenance.source.StateDigest;
import dev.shardkit.metadata.MetadataWriter;
import dev.shardkit.spi.array.Box;
import dev.shardkit.spi.error.StoreException;
import dev.shardkit.spi.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads and writes the statistics of a part of an array as a JSON document. Several processes compute parts, and one
 * process combines their documents. The members of a document are {@code array}, a digest of the array's metadata, the
 * region, the bins and the skipped elements; {@code part} and {@code parts}, the number of this part and of all parts;
 * {@code elements} and {@code fill_elements}, the number of all elements and of fill values; and for arrays of numbers
 * {@code numbers}. Stateless.
 */
final class PartialStatistics {
    private PartialStatistics() {}

    /** Returns a digest of the array, the region, the bins and the skipped elements. */
    static String digest(ZarrArray array, Box region, int bins, SkippedElements skipped) {
        StateDigest digest = new StateDigest();
        digest.add(MetadataWriter.write(array.metadata()));
        digest.add(region + " " + bins + " " + skipped.text());
        return digest.text();
    }

    /** Returns the document of a part, without {@code numbers}. */
    static Json.Obj document(String digest, Part part, long elements, long fills) {
        return Json.object()
                .with("array", Json.of(digest))
                .with("part", Json.of(part.number()))
                .with("parts", Json.of(part.count()))
                .with("elements", Json.of(elements))
                .with("fill_elements", Json.of(fills));
    }

    /** Checks that the documents are those of all parts, each once, of the statistics with this digest. */
    static void check(Collection<Json.Obj> documents, String digest) {
        if (documents.isEmpty()) {
            throw new IllegalArgumentException("expected the statistics of all parts, found none");
        }
        long parts = number(documents.iterator().next(), "parts");
        if (parts < 1 || parts > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("parts: expected 1 to " + Integer.MAX_VALUE + ", found " + parts);
        }
        List<Long> found = documents.stream()
                .map(document -> number(document, "part"))
                .sorted()
                .toList();
        for (Json.Obj document : documents) {
            if (!document.get("array").equals(Optional.of(Json.of(digest)))) {
                throw new IllegalArgumentException("part " + number(document, "part")
                        + " has the statistics of another array, region, number of bins or kind of skipped elements, or of the array before it"
                        + " changed");
            } else if (number(document, "parts") != parts) {
                throw new IllegalArgumentException("part " + number(document, "part") + " is one of "
                        + number(document, "parts") + " parts, others of " + parts);
            }
        }
        for (int i = 0; i < Math.max(found.size(), parts); i++) {
            if (i >= found.size() || found.get(i) > i + 1L) {
                throw new StoreException("part " + (i + 1) + "/" + parts + " is missing; run it, then finish again");
            } else if (found.get(i) != i + 1L || i >= parts) {
                throw new IllegalArgumentException("part " + found.get(i) + "/" + parts + " was given twice");
            }
        }
    }

    /** Returns a member that is an integer. */
    static long number(Json.Obj document, String name) {
        if (document.get(name).orElse(Json.of("nothing")) instanceof Json.Num number && number.isInteger()) {
            try {
                return Long.parseLong(number.lexeme());
            } catch (NumberFormatException e) {
                throw invalid(document, name, "an integer");
            }
        }
        throw invalid(document, name, "an integer");
    }

    /** Returns a member that is a count: an integer that is not negative. */
    static long count(Json.Obj document, String name) {
        long count = number(document, name);
        if (count < 0) {
            throw invalid(document, name, "a count");
        }
        return count;
    }

    /** Returns a member that is a text and matches the regular expression {@code form}. */
    static String text(Json.Obj document, String name, String form) {
        if (document.get(name).orElse(Json.of("")) instanceof Json.Str text
                && text.value().matches(form)) {
            return text.value();
        }
        throw invalid(document, name, "a text of the form " + form);
    }

    /** Returns a member that is an object. */
    static Json.Obj object(Json.Obj document, String name) {
        if (document.get(name).orElse(Json.of("")) instanceof Json.Obj object) {
            return object;
        }
        throw invalid(document, name, "an object");
    }

    /** Returns a member that is a list of counts. */
    static long[] counts(Json.Obj document, String name, int maxCount) {
        if (document.get(name).orElse(Json.of("")) instanceof Json.Arr list
                && list.items().size() <= maxCount) {
            return IntStream.range(0, list.items().size())
                    .mapToLong(i -> count(Json.object().with(name, list.items().get(i)), name))
                    .toArray();
        }
        throw invalid(document, name, "a list of at most " + maxCount + " counts");
    }

    private static IllegalArgumentException invalid(Json.Obj document, String name, String expected) {
        return new IllegalArgumentException("the statistics of a part: " + name + ": expected " + expected + ", found "
                + document.get(name).map(Json::toString).orElse("nothing"));
    }
}
