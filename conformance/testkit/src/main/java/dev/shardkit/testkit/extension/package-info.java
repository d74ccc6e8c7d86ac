/**
 * Contract suites for plug-ins that metadata names: codecs, data types, chunk grids, chunk key encodings, storage
 * transformers and node formats. Suites for stores are in {@code dev.shardkit.testkit.store}.
 *
 * <p>A plug-in is a factory, a line in {@code META-INF/services} that names it, and a test that extends a suite and
 * supplies the plug-in:
 *
 * <pre>{@code
 * META-INF/services/dev.shardkit.spi.CodecFactory:
 *   org.example.MyCodecFactory
 *
 * class MyCodecTest extends BytesToBytesCodecContract {
 *   protected BytesToBytesCodec codec() {
 *     return new MyCodec(5);
 *   }
 * }
 *
 * class MyCodecFactoryTest extends CodecFactoryContract {
 *   protected CodecFactory factory() {
 *     return new MyCodecFactory();
 *   }
 *
 *   protected List<Json.Obj> legal() {
 *     return List.of(Json.object().with("level", Json.of(5)));
 *   }
 * }
 * }</pre>
 */
@NullMarked
package dev.shardkit.testkit.extension;

import org.jspecify.annotations.NullMarked;
