package dev.shardkit.kotlin

import com.fasterxml.jackson.annotation.JsonSetter
import com.fasterxml.jackson.annotation.Nulls
import com.fasterxml.jackson.databind.AnnotationIntrospector
import com.fasterxml.jackson.databind.ObjectMapper
import com.fasterxml.jackson.databind.introspect.Annotated
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector
import com.fasterxml.jackson.module.kotlin.kotlinModule
import dev.shardkit.attributes.AttributeMapperExtension

/** Maps attributes to classes of Kotlin; found by [java.util.ServiceLoader]. */
internal class KotlinAttributes : AttributeMapperExtension {
    override fun addTo(mapper: ObjectMapper) {
        mapper.registerModule(kotlinModule())
        mapper.setAnnotationIntrospector(
            AnnotationIntrospector.pair(KotlinNumbers, mapper.deserializationConfig.annotationIntrospector)
        )
    }

    /**
     * Makes Jackson refuse `null` for numbers and booleans of Kotlin classes, whose types exclude `null`. By default,
     * Jackson sets them to 0 and `false`, as in Java classes. The compiler marks Kotlin classes with [Metadata].
     */
    private object KotlinNumbers : NopAnnotationIntrospector() {
        /** Keeps the object unique when Jackson's mapper is deserialized. */
        private fun readResolve(): Any = KotlinNumbers

        override fun findSetterInfo(a: Annotated): JsonSetter.Value =
            if (
                a is AnnotatedParameter &&
                    a.rawType.isPrimitive &&
                    a.declaringClass.isAnnotationPresent(Metadata::class.java)
            ) {
                JsonSetter.Value.forValueNulls(Nulls.FAIL)
            } else {
                JsonSetter.Value.empty()
            }
    }
}
