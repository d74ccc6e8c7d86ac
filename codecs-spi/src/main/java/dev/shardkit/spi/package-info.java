/**
 * The interfaces of plug-ins; their module also holds arrays, chunk grids, data types, JSON and errors.
 *
 * <p>This package has one factory interface for each kind of extension, and {@link dev.shardkit.spi.Config} to read its
 * configuration.
 *
 * <h2>How to write a codec</h2>
 *
 * <p>A plug-in is one class, one line and one test. The class is the factory that {@link java.util.ServiceLoader}
 * finds; for a small codec it may be the codec as well:
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
 *   public Codec create(Config config) {      // what it does not read is refused
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
 * <p>The line stands in {@code META-INF/services/dev.shardkit.spi.CodecFactory}:
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
 * <p>Data types, chunk grids, chunk key encodings and storage transformers work alike, each with its factory here;
 * {@link dev.shardkit.spi.NodeFormat} finds nodes that other documents than {@code zarr.json} describe; stores are
 * opened by {@code dev.shardkit.store.StoreFactory}. A plug-in of another's name wins by its
 * {@link dev.shardkit.spi.Extension#priority()}; what comes with shardkit has the lowest.
 *
 * <p>What a codec must keep to: no I/O, no threads, no state that changes; nothing allocated from a size that it was
 * only told; every failure one of {@code dev.shardkit.spi.error}.
 */
@NullMarked
package dev.shardkit.spi;

import org.jspecify.annotations.NullMarked;
