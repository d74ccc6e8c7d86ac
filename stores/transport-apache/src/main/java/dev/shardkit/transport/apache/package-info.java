/**
 * Sends HTTP requests with the asynchronous core of Apache HttpClient 5. The service loader finds it under the name
 * {@code apache}, and remote stores then use it in place of the JDK's client. It needs less CPU time for a request.
 */
@NullMarked
package dev.shardkit.transport.apache;

import org.jspecify.annotations.NullMarked;
