package dev.shardkit.multik

import dev.shardkit.NdArray
import dev.shardkit.spi.array.DataType
import dev.shardkit.spi.type.CoreTypes
import kotlin.reflect.KClass
import org.jetbrains.kotlinx.multik.ndarray.data.DN
import org.jetbrains.kotlinx.multik.ndarray.data.DataType as MultikType
import org.jetbrains.kotlinx.multik.ndarray.data.Dimension
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryView
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewByteArray
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewDoubleArray
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewFloatArray
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewIntArray
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewLongArray
import org.jetbrains.kotlinx.multik.ndarray.data.MemoryViewShortArray
import org.jetbrains.kotlinx.multik.ndarray.data.MultiArray
import org.jetbrains.kotlinx.multik.ndarray.data.NDArray

/**
 * Returns the elements as an array of Multik, in the same order. [T] is `Byte`, `Short`, `Int`, `Long`, `Float` or
 * `Double`. Elements of that type are shared, so changes of one array are seen in the other; elements of another type
 * are converted.
 *
 * `asD2Array()` and its siblings of Multik give the array the type of its rank.
 *
 * @throws ArithmeticException if [T] cannot represent an element exactly
 * @throws IllegalArgumentException if the array has no dimensions, which Multik does not know, or the elements are no
 *   numbers
 */
public inline fun <reified T : Number> NdArray.toMultik(): NDArray<T, DN> = toMultik(T::class)

/** Returns the elements as an array of Multik; see [toMultik]. */
@PublishedApi
internal fun <T : Number> NdArray.toMultik(type: KClass<T>): NDArray<T, DN> {
    val shape = shape()
    require(shape.isNotEmpty()) { "expected an array with dimensions, found one with a single element and none" }
    val wanted = ELEMENTS[type]
    require(wanted != null) { "expected Byte, Short, Int, Long, Float or Double, found $type" }
    val converted = if (dataType() == wanted) this else convert(wanted)
    val lengths = IntArray(shape.size) { Math.toIntExact(shape[it]) }
    @Suppress("UNCHECKED_CAST")
    return NDArray(view(converted.array()) as MemoryView<T>, shape = lengths, dim = DN(lengths.size))
}

/**
 * Returns the elements of an array of Multik in C order. Arrays that hold their elements in C order share them with the
 * result; views, such as slices and transposed arrays, are copied.
 *
 * @param dataType the data type of the result; `null` for the one that matches the elements, such as `int32` for `Int`
 * @throws ArithmeticException if [dataType] cannot represent an element exactly
 * @throws IllegalArgumentException if the elements are complex
 */
public fun <T, D : Dimension> MultiArray<T, D>.toNdArray(dataType: DataType? = null): NdArray {
    val ownType = requireNotNull(OF_MULTIK[dtype]) { "expected real numbers, found $dtype" }
    val inOrder = if (consistent) this else deepCopy()
    val elements = NdArray.of(ownType, LongArray(shape.size) { shape[it].toLong() }, inOrder.data.data)
    return if (dataType == null || dataType == ownType) elements else elements.convert(dataType)
}

/** The data type for each Kotlin type of elements. */
private val ELEMENTS: Map<KClass<*>, DataType> =
    mapOf(
        Byte::class to CoreTypes.INT8,
        Short::class to CoreTypes.INT16,
        Int::class to CoreTypes.INT32,
        Long::class to CoreTypes.INT64,
        Float::class to CoreTypes.FLOAT32,
        Double::class to CoreTypes.FLOAT64,
    )

/** The data type for each real type of Multik. */
private val OF_MULTIK: Map<MultikType, DataType> =
    mapOf(
        MultikType.ByteDataType to CoreTypes.INT8,
        MultikType.ShortDataType to CoreTypes.INT16,
        MultikType.IntDataType to CoreTypes.INT32,
        MultikType.LongDataType to CoreTypes.INT64,
        MultikType.FloatDataType to CoreTypes.FLOAT32,
        MultikType.DoubleDataType to CoreTypes.FLOAT64,
    )

/** Returns Multik's view of a Java array; both share their elements. */
private fun view(elements: Any): MemoryView<*> =
    when (elements) {
        is ByteArray -> MemoryViewByteArray(elements)
        is ShortArray -> MemoryViewShortArray(elements)
        is IntArray -> MemoryViewIntArray(elements)
        is LongArray -> MemoryViewLongArray(elements)
        is FloatArray -> MemoryViewFloatArray(elements)
        is DoubleArray -> MemoryViewDoubleArray(elements)
        else -> throw IllegalArgumentException("expected real numbers, found ${elements::class.simpleName}")
    }
