/**
 * The interfaces of plug-ins. The module also contains arrays, chunk grids, data types, JSON and errors, which all
 * codecs and the engine share.
 *
 * <p>This package has one factory interface for each kind of extension, and {@link dev.shardkit.spi.Config} to read its
 * configuration.
 *
 * <h2>How to write a codec</h2>
 *
 * <p>A plug-in is one class, one line and one test. The class is the factory that {@link java.util.ServiceLoader}
 * finds; a small codec may be its own factory:
 *
 * <pre>{@code
 * public final class XorCodec implements CodecFactory, BytesToBytesCodec {
 *   private final int key;
 *
 *   public XorCodec() {                       // for the service loader
 *     this(0);
 *   }
 *
 *   private XorCodec(int key) {
 *     this.key = key;
 *   }
 *
 *   public String name() {                    // the name in the metadata
 *     return "org.example.xor";
 *   }
 *
 *   public Codec create(Config config) {      // unread members are rejected
 *     return new XorCodec((int) config.requiredInteger("key", 0, 255));
 *   }
 *
 *   public Json.Obj configuration() {
 *     return Json.object().with("key", Json.of(key));
 *   }
 *
 *   public OptionalLong encodedSize(long decodedSize) {
 *     return OptionalLong.of(decodedSize);
 *   }
 *
 *   public Bytes encode(Bytes decoded, Scratch scratch) {
 *     return xor(decoded);
 *   }
 *
 *   public Bytes decode(Bytes encoded, DecodedSize expected, Scratch scratch) {
 *     expected.check(encoded.size(), "xor");
 *     return xor(encoded);
 *   }
 *   // ...
 * }
 * }</pre>
 *
 * <p>The line is in the file {@code META-INF/services/dev.shardkit.spi.CodecFactory}:
 *
 * <pre>{@code
 * org.example.XorCodec
 * }</pre>
 *
 * <p>(and, for the module path, {@code provides dev.shardkit.spi.CodecFactory with org.example.XorCodec;} in the
 * module's declaration). The test extends a suite of the test kit, which tries round trips, bounds, hostile input and
 * threads:
 *
 * <pre>{@code
 * class XorCodecTest extends BytesToBytesCodecContract {
 *   protected BytesToBytesCodec codec() {
 *     return new XorCodec(7);
 *   }
 * }
 * }</pre>
 *
 * <p>Data types, chunk grids, chunk key encodings and storage transformers work alike; each has its factory here.
 * {@link dev.shardkit.spi.NodeFormat} reads nodes whose metadata is not a {@code zarr.json};
 * {@code dev.shardkit.store.StoreFactory} opens stores. If two plug-ins have the same name, the one with the higher
 * {@link dev.shardkit.spi.Extension#priority()} wins; shardkit's own extensions have the lowest priority.
 *
 * <p>The rules for codecs: no I/O, no threads, no mutable state. A codec allocates nothing from a size that the input
 * only claims, and each of its failures is an error of {@code dev.shardkit.spi.error}.
 */
@NullMarked
package dev.shardkit.spi;

import org.jspecify.annotations.NullMarked;
