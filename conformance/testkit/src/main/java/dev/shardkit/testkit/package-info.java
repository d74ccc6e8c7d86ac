/**
 * Contract suites for authors of plug-ins: codecs, data types, chunk grids, chunk key encodings, storage transformers,
 * node formats, stores and their abilities, and HTTP clients of remote stores. A plug-in is a factory, a line in
 * {@code META-INF/services} that names it, and a test that extends a contract and supplies the plug-in:
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
 *
 * <p>{@link dev.shardkit.testkit.PlanProbe} runs plans over bytes in memory and counts requests.
 * {@link dev.shardkit.testkit.PoisonedTarget} records which elements were written. Both are useful for tests beyond the
 * contracts. Everything here is for tests only.
 */
@NullMarked
package dev.shardkit.testkit;

import org.jspecify.annotations.NullMarked;
