package dev.shardkit.store.s3;

import dev.shardkit.store.cloud.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * A part of a multipart upload, as the server has stored it.
 *
 * @param tag its ETag
 * @param crc32c its checksum, if the upload has any
 */
record UploadedPart(String tag, Optional<String> crc32c) {
    /** Returns the part from the response to UploadPartCopy; empty if the response has no ETag. */
    static Optional<UploadedPart> of(XmlElement copied) {
        return Optional.of(copied.text("ETag"))
                .filter(tag -> !tag.isEmpty())
                .map(tag -> new UploadedPart(
                        tag, Optional.of(copied.text("ChecksumCRC32C")).filter(sum -> !sum.isEmpty())));
    }

    /** Returns the document that completes an upload of these parts. */
    static String document(List<UploadedPart> parts) {
        StringBuilder list =
                new StringBuilder("<CompleteMultipartUpload xmlns=\"" + S3BulkOperations.NAMESPACE + "\">");
        for (int i = 0; i < parts.size(); i++) {
            list.append("<Part><PartNumber>").append(i + 1).append("</PartNumber>");
            element(list, "ETag", parts.get(i).tag());
            parts.get(i).crc32c().ifPresent(sum -> element(list, "ChecksumCRC32C", sum));
            list.append("</Part>");
        }
        return list.append("</CompleteMultipartUpload>").toString();
    }

    private static void element(StringBuilder list, String name, String text) {
        list.append('<').append(name).append('>');
        list.append(XmlElement.escaped(text)).append("</").append(name).append('>');
    }
}
